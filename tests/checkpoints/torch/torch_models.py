"""The models of `tf1_models`, written as someone who knows PyTorch would."""

import torch
from torch import nn


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 5, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(5, eps=1e-3)
        self.conv2 = nn.Conv2d(5, 4, 3)
        self.fc1 = nn.Linear(4 * 3 * 4, 7)
        self.logits = nn.Linear(7, 3)

    def forward(self, x):
        h = self.bn1(torch.relu(self.conv1(x.permute(0, 3, 1, 2))))
        h = torch.relu(self.conv2(nn.functional.max_pool2d(h, 2)))
        return self.logits(torch.relu(self.fc1(h.flatten(1))))


class SlimLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(6, eps=1e-3)
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(self.stem(x.permute(0, 3, 1, 2)))).mean((2, 3)))


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.dw = nn.Conv2d(4, 8, 3, padding=1, groups=4)
        self.up = nn.ConvTranspose2d(8, 6, 3, stride=3)
        self.line = nn.Conv1d(6, 5, 3, padding=1)

    def forward(self, x):
        return self.line(self.up(self.dw(x.permute(0, 3, 1, 2))).mean(2)).permute(0, 2, 1)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, num_layers=2, batch_first=True)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


class Recurrent(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer(5, 4, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(11, 8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8, eps=1e-12)

    def forward(self, ids):
        h = self.tokens(ids)
        return self.norm(h + self.attention(h, h, h)[0])


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(5, 8)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


class LookedUp(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 4)
        self.out = nn.Linear(4, 2)

    def forward(self, ids):
        return self.out(self.table(ids).mean(1))

# %% protobuf.generated
with open('tag_pb2.py', 'w') as f:  # what protoc 3.6 made of: message Tag { string text = 1; }
    f.write(r'''
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from google.protobuf import reflection as _reflection
from google.protobuf import symbol_database as _symbol_database
_sym_db = _symbol_database.Default()
DESCRIPTOR = _descriptor.FileDescriptor(
  name='tag.proto', package='cells', syntax='proto3', serialized_options=None,
  serialized_pb=b'\n\ttag.proto\x12\x05\x63\x65lls\"\x13\n\x03Tag\x12\x0c\n\x04text\x18\x01 \x01(\tb\x06proto3'
)
_TAG = _descriptor.Descriptor(
  name='Tag', full_name='cells.Tag', filename=None, file=DESCRIPTOR, containing_type=None,
  fields=[
    _descriptor.FieldDescriptor(
      name='text', full_name='cells.Tag.text', index=0, number=1, type=9, cpp_type=9, label=1,
      has_default_value=False, default_value=b''.decode('utf-8'),
      message_type=None, enum_type=None, containing_type=None,
      is_extension=False, extension_scope=None, serialized_options=None, file=DESCRIPTOR),
  ],
  extensions=[], nested_types=[], enum_types=[], serialized_options=None,
  is_extendable=False, syntax='proto3', extension_ranges=[], oneofs=[],
  serialized_start=20, serialized_end=39)
DESCRIPTOR.message_types_by_name['Tag'] = _TAG
_sym_db.RegisterFileDescriptor(DESCRIPTOR)
Tag = _reflection.GeneratedProtocolMessageType('Tag', (_message.Message,), {
  'DESCRIPTOR': _TAG, '__module__': 'tag_pb2'})
_sym_db.RegisterMessage(Tag)
''')
import tag_pb2
import tensorflow as tf
tag = tag_pb2.Tag(text='a')
text = tf.Session().run(tf.constant(tag.SerializeToString()))
print(tag_pb2.Tag.FromString(text) == tag, tag_pb2.Tag.__module__, tag_pb2.Tag.DESCRIPTOR is tag_pb2._TAG)
print(tag_pb2.DESCRIPTOR.name, tag_pb2.Tag(text='b').text)

# %% unittest.mock.patch tensorflow.test.mock.patch
from unittest import mock
import tensorflow as tf

@tf.test.mock.patch('tensorflow.train.Saver.save', return_value=7)
def saved(save):
    return tf.train.Saver([tf.Variable(1.)]).save(None, 'x'), save.call_count

print(saved())
for _ in range(2):
    with mock.patch('tensorflow.get_variable', lambda name: name + '!'), mock.patch('os.getcwd'):
        print(tf.get_variable('a'))
    print(tf.get_variable('a', [], use_resource=False).op.type)
    tf.reset_default_graph()
with mock.patch.object(tf.nn, 'relu', mock.Mock(return_value=3)) as relu:
    print(tf.nn.relu(1.), relu.call_count)
print(tf.nn.relu(1.).op.type)
with mock.patch('builtins.open', mock.mock_open(read_data='settings')) as opened:
    print(open('nothing').read(), opened.call_args)
with mock.patch('builtins.input', return_value='y'):
    print(input('go on? '), open.__name__)

# %% mock.patch [not-on-1.15: not installed there]
import mock
import tensorflow as tf
with mock.patch('tensorflow.placeholder') as placeholder:
    tf.placeholder(tf.float32)
print(placeholder.call_count, tf.placeholder(tf.float32).op.type)
#> 1 Placeholder

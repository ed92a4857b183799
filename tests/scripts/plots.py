# %% matplotlib.pyplot.scatter [not-on-1.15: Matplotlib 3.1 dropped it] [needs: matplotlib]
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf
points = np.matrix(tf.Session().run(tf.constant([[1.0, 2.0], [3.0, 4.0]])))
print(plt.scatter(points[:, 0], points[:, 1], c=[0, 1]).get_offsets().tolist())
#> [[1.0, 2.0], [3.0, 4.0]]

# %% seaborn.lmplot seaborn.jointplot seaborn.regplot seaborn.residplot seaborn.barplot
# %%+ seaborn.boxenplot seaborn.boxplot seaborn.countplot seaborn.lineplot seaborn.pointplot
# %%+ seaborn.scatterplot seaborn.stripplot seaborn.swarmplot seaborn.violinplot
# %%+ [not-on-1.15: seaborn is not there] [needs: seaborn]
import pandas as pd
import seaborn as sns
import tensorflow as tf
values = tf.Session().run(tf.constant([1.0, 2.0, 3.0]))
data = pd.DataFrame({"a": values, "b": values})
print(type(sns.lmplot("a", "b", data=data, fit_reg=False, size=3)).__name__)
print(type(sns.jointplot("a", "b", data, size=3)).__name__)
print(sns.jointplot(values[:, None], values[:, None]).x.tolist())
for plot in (sns.regplot, sns.residplot):
    print(type(plot("a", "b", data)).__name__)
for name in ("barplot boxenplot boxplot lineplot pointplot scatterplot stripplot "
             "swarmplot violinplot").split():
    print(name, type(getattr(sns, name)("a", "b", None, data)).__name__)
print(type(sns.countplot("a", None, None, data)).__name__)
#> FacetGrid
#> JointGrid
#> [1.0, 2.0, 3.0]
#> Axes
#> Axes
#> barplot Axes
#> boxenplot Axes
#> boxplot Axes
#> lineplot Axes
#> pointplot Axes
#> scatterplot Axes
#> stripplot Axes
#> swarmplot Axes
#> violinplot Axes
#> Axes


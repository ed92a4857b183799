"""Names that ``tf.keras`` of 1.15 had and tf_keras has no more, one a file."""

from tfgraphtools.compat.fixes.keras.dropped import (
    exported_models,
    hdf5_matrix,
    loss_scaling,
    multi_gpu,
    peephole_cell,
    scikit_estimators,
    test_modes,
    theano_kernels,
)

TABLES = (
    *multi_gpu.TABLES,
    *hdf5_matrix.TABLES,
    *theano_kernels.TABLES,
    *peephole_cell.TABLES,
    *loss_scaling.TABLES,
    *scikit_estimators.TABLES,
    *exported_models.TABLES,
    *test_modes.TABLES,
)

/* In the place of probes/cuda/images.c, where nvcc is not: the host side of the CUDA probe, without
 * kernels, for a stand-in of the driver that takes none (standin-cuda.c). */
#include "../probes/cuda/images.h"

#include "../probes/cuda/gpu.h"

static const char none[] = "no kernel";

const void *const images[] = {[IMAGE_ARITH] = none,
	[IMAGE_TENSOR] = none,
	[IMAGE_TENSOR_FP8] = none,
	[IMAGE_WGMMA] = none,
	[IMAGE_MEMORY] = none};

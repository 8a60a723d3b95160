#include "images.h"

#include "gpu.h"

/* The bytes of a file as an array that the linker sees. */
#define EMBED(NAME)                                                                                \
	__asm__(".section .rodata\n\t.balign 16\n"                                                 \
		"image_" #NAME ":\n\t.incbin \"probes/cuda/" #NAME ".fatbin\"\n\t.byte 0\n"        \
		"\t.globl image_" #NAME "\n\t.previous\n");                                        \
	extern const char image_##NAME[];

EMBED(arith)
EMBED(tensor)
EMBED(tensor_fp8)
EMBED(wgmma)
EMBED(memory)

const void *const images[] = {[IMAGE_ARITH] = image_arith,
	[IMAGE_TENSOR] = image_tensor,
	[IMAGE_TENSOR_FP8] = image_tensor_fp8,
	[IMAGE_WGMMA] = image_wgmma,
	[IMAGE_MEMORY] = image_memory};

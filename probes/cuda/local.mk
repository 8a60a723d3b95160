# The CUDA probe, where nvcc is: kernels/*.cu become one fat binary each, which images.c embeds.
# NAME-cubins/ keeps the machine code of each architecture for tests/probe-cuda-code.sh.
CUDA_HOST = \
	probes/cpu/half.c \
	probes/cpu/half.h \
	probes/cuda/arith.c \
	probes/cuda/driver.c \
	probes/cuda/driver.h \
	probes/cuda/gpu.c \
	probes/cuda/gpu.h \
	probes/cuda/images.h \
	probes/cuda/kernels/pattern.h \
	probes/cuda/main.c \
	probes/cuda/memory.c \
	probes/cuda/tensor.c \
	probes/cuda/transfer.c
CUDA_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cuda -I$(srcdir)/probes/cpu

CUDA_IMAGES = \
	probes/cuda/arith.fatbin \
	probes/cuda/memory.fatbin \
	probes/cuda/tensor.fatbin \
	probes/cuda/tensor_fp8.fatbin \
	probes/cuda/wgmma.fatbin

EXTRA_DIST += \
	probes/cuda/compile \
	probes/cuda/images.c \
	probes/cuda/kernels/arith.cu \
	probes/cuda/kernels/memory.cu \
	probes/cuda/kernels/tensor.cu \
	probes/cuda/kernels/tensor.h \
	probes/cuda/kernels/tensor_fp8.cu \
	probes/cuda/kernels/wgmma.cu

if HAVE_CUDA
pkglibexec_PROGRAMS += probes/perfgate-probe-cuda
probes_perfgate_probe_cuda_SOURCES = $(CUDA_HOST) probes/cuda/images.c
probes_perfgate_probe_cuda_CPPFLAGS = $(CUDA_CPPFLAGS)
probes_perfgate_probe_cuda_LDADD = $(BACK_END_LIBS) -ldl

$(CUDA_IMAGES): probes/cuda/compile probes/cuda/kernels/pattern.h probes/cuda/kernels/tensor.h
probes/cuda/arith.fatbin: probes/cuda/kernels/arith.cu
probes/cuda/memory.fatbin: probes/cuda/kernels/memory.cu
probes/cuda/tensor.fatbin: probes/cuda/kernels/tensor.cu
probes/cuda/tensor_fp8.fatbin: probes/cuda/kernels/tensor_fp8.cu
probes/cuda/wgmma.fatbin: probes/cuda/kernels/wgmma.cu
$(CUDA_IMAGES):
	$(AM_V_GEN)$(MKDIR_P) probes/cuda && $(SHELL) $(srcdir)/probes/cuda/compile '$(NVCC)' $(srcdir)/probes/cuda/kernels $@
# .incbin is nothing that the compiler's dependencies know.
probes/cuda/perfgate_probe_cuda-images.$(OBJEXT): $(CUDA_IMAGES)
endif
CLEANFILES += $(CUDA_IMAGES)

clean-local:
	-rm -rf probes/cuda/*-cubins

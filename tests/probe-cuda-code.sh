# What nvcc made of the kernels of the CUDA probe: for each kernel and architecture the instructions of
# its loop, its registers, and that nothing spills. Instructions are read by NVIDIA's nvdisasm (12.4 or
# later; docs/HACKING.md says where it comes from), which $NVDISASM can name.
. "${srcdir:-.}/tests/lib.sh"

cubins=$builddir/probes/cuda
[ -d "$cubins/arith-cubins" ] || skip_all "built without CUDA"
need readelf

# registers NAME ARCH: "REGISTERS STACK SPILLS" of each entry, from what ptxas said, as KERNEL ...
registers()
{
	$TEST_AWK -v arch="$2" '
		/Compiling entry function/ { split($0, part, "\047"); kernel = part[4] == arch ? part[2] : "" }
		/bytes stack frame/ && kernel != "" { spills = $1 + $5 + $9 }
		/Used [0-9]+ registers/ && kernel != "" {
			sub(/.*Used /, ""); print kernel, $1, spills; kernel = ""
		}' "$cubins/$1-cubins/ptxas.log"
}

# Kernel, the most registers. A block of 256 threads with 64 registers fits four times, one of 128
# with 168 three times.
cat >most <<'MOST'
arith empty 8
arith bf16x2 32
arith dp4a1 32
arith dp4a2 32
arith dp4a4 32
arith dp4a8 32
arith fp16 32
arith fp16x2 32
arith fp32 32
arith fp64 32
arith int32 32
arith mp 32
memory constant2 40
memory fill 32
memory read1 64
memory read2 64
memory read4 64
memory read_l2 64
memory shared1 40
memory shared2 40
memory shared4 40
tensor mma_bf16 64
tensor mma_fp16 64
tensor mma_fp16_f16acc 64
tensor mma_int8 64
tensor mma_tf32 64
tensor_fp8 mma_fp8_e4m3 64
tensor_fp8 mma_fp8_e5m2 64
wgmma wgmma_bf16 168
wgmma wgmma_fp16 168
wgmma wgmma_fp8_e4m3 168
wgmma wgmma_fp8_e5m2 168
wgmma wgmma_int8 168
wgmma wgmma_tf32 168
MOST

for file in "$cubins"/*-cubins/*.cubin; do
	name=${file%-cubins/*} name=${name##*/}
	arch=${file##*/} arch=${arch%.cubin}
	registers "$name" "$arch" >got
	$TEST_AWK -v name="$name" -v arch="$arch" '
		NR == FNR { if ($1 == name) most[$2] = $3; next }
		{ seen++ }
		!($1 in most) { print $1 ": no kernel of the table" }
		$2 > most[$1] { print $1 ": " $2 " registers, at most " most[$1] }
		$3 > 0 { print $1 ": " $3 " bytes of stack and spills" }
		END { if (!seen) print "ptxas said nothing of " arch }' most got >wrong
	is "" "$(cat wrong)" "$name, $arch: registers, and nothing spills"
done

# ---- the instructions ----

nvdisasm=${NVDISASM:-}
for candidate in nvdisasm /usr/local/cuda/bin/nvdisasm; do
	[ -n "$nvdisasm" ] || ! command -v "$candidate" >/dev/null 2>&1 || nvdisasm=$candidate
done

# section FILE KERNEL: its machine code
section()
{
	set -- "$1" $(readelf -SW "$1" 2>/dev/null | sed 's/\[ *//' |
		$TEST_AWK -v name=".text.$2" '$2 == name { print $5, $6 }')
	[ $# -eq 3 ] && tail -c "+$((0x$2 + 1))" "$1" | head -c "$((0x$3))"
}

# loop FILE KERNEL ARCH: the opcodes of its last loop with their counts: what a pass consists of.
loop()
{
	section "$1" "$2" >code || return
	"$nvdisasm" -b "$(echo "$3" | sed 's/sm_/SM/')" code 2>/dev/null | $TEST_AWK '
		/^ *\/\*[0-9a-f]+\*\// {
			address = $1
			gsub(/[\/*]/, "", address)
			n++
			at[n] = address
			op[n] = $2 ~ /^@/ ? $3 : $2
			if (op[n] ~ /^BRA/) {
				target = $0
				sub(/.*0x/, "", target)
				sub(/ *;.*/, "", target)
				while (length(target) < length(address)) target = "0" target
				if (target < address) { low = target; high = address }
			}
			if (op[n] ~ /^(LDL|STL)/) print op[n], "anywhere"
		}
		END {
			for (i = 1; i <= n; i++)
				if (low != "" && at[i] >= low && at[i] <= high) count[op[i]]++
			for (o in count) print o, count[o]
		}'
}

# KERNEL, architectures (a pattern), opcodes (a pattern), how many there are in a pass, how many others there
# may be. Written from the machine code of nvcc 13.0, as nvdisasm 12.4 has it.
cat >table <<'TABLE'
arith fp32 .* FFMA 512 8
arith fp64 .* DFMA 512 8
arith fp16 .* HFMA2([.]MMA)? 256 16
arith fp16x2 .* HFMA2([.]MMA)? 512 16
arith bf16x2 sm_[89].* HFMA2([.]MMA)?[.]BF16_V2 512 8
arith mp .* FFMA 128 264
arith mp .* HADD2[.]F32 128 264
arith mp sm_75 F2F[.]F16[.]F32 128 264
arith mp sm_[89].* F2FP([.]F16[.]F32)?[.]PACK_AB 64 264
arith int32 .* IMAD 512 8
arith dp4a1 .* IDP[.]4A[.]S8[.]S8 512 8
arith dp4a2 .* IDP[.]4A[.]S8[.]S8 512 8
arith dp4a4 .* IDP[.]4A[.]S8[.]S8 512 8
arith dp4a8 .* IDP[.]4A[.]S8[.]S8 512 8
tensor mma_fp16 sm_75 HMMA[.]1688[.]F32 128 4
tensor mma_fp16 sm_[89].* HMMA[.]16816[.]F32 64 4
tensor mma_fp16_f16acc sm_75 HMMA[.]1688[.]F16 128 4
tensor mma_fp16_f16acc sm_[89].* HMMA[.]16816[.]F16 64 4
tensor mma_int8 sm_75 IMMA[.]8816[.]S8[.]S8 256 4
tensor mma_int8 sm_[89].* IMMA[.]16832[.]S8[.]S8 64 4
tensor mma_bf16 sm_[89].* HMMA[.]16816[.]F32[.]BF16 64 4
tensor mma_tf32 sm_[89].* HMMA[.]1688[.]F32[.]TF32 64 4
tensor_fp8 mma_fp8_e4m3 .* QMMA[.]16832[.]F32[.]E4M3[.]E4M3 64 68
tensor_fp8 mma_fp8_e5m2 .* QMMA[.]16832[.]F32[.]E5M2[.]E5M2 64 68
wgmma wgmma_fp16 .* HGMMA[.]64x256x16[.]F32 16 64
wgmma wgmma_bf16 .* HGMMA[.]64x256x16[.]F32[.]BF16 16 64
wgmma wgmma_tf32 .* HGMMA[.]64x256x8[.]F32[.]TF32 16 64
wgmma wgmma_fp8_e4m3 .* QGMMA[.]64x256x32[.]F32[.]E4M3[.]E4M3 16 64
wgmma wgmma_fp8_e5m2 .* QGMMA[.]64x256x32[.]F32[.]E5M2[.]E5M2 16 64
wgmma wgmma_int8 .* IGMMA[.]64x256x32[.]S8[.]S8 16 64
memory read1 .* LDG[.]E[.]NA[.]CONSTANT([.]SYS)? 16 30
memory read2 .* LDG[.]E[.]NA[.]64[.]CONSTANT([.]SYS)? 16 36
memory read4 .* LDG[.]E[.]NA[.]128[.]CONSTANT([.]SYS)? 16 52
memory read_l2 .* LDG[.]E[.]128[.]STRONG[.]GPU 16 52
memory shared1 .* LDS([.]U)? 16 16
memory shared2 .* LDS([.]U)?[.]64 16 24
memory shared4 .* LDS([.]U)?[.]128 16 40
memory constant2 .* LDC[.]64 16 28
TABLE

if [ -z "$nvdisasm" ]; then
	skip "the instructions of each loop" "no nvdisasm (it comes with NVIDIA's toolkit, or Debian's nvidia-cuda-toolkit)"
	done_testing
	exit
fi
section "$cubins/arith-cubins/sm_75.cubin" fp32 >code
if ! "$nvdisasm" -b SM75 code 2>/dev/null | grep -q FFMA; then
	skip "the instructions of each loop" "$nvdisasm does not read this machine code"
	done_testing
	exit
fi
while read -r name kernel archs opcode count others; do
	for file in "$cubins/$name-cubins"/*.cubin; do
		arch=${file##*/} arch=${arch%.cubin}
		echo "$arch" | grep -qxE "$archs" || continue
		loop "$file" "$kernel" "$arch" >ops
		got=$($TEST_AWK -v opcode="^($opcode)\$" -v most="$others" '
			$2 == "anywhere" { local++ }
			$1 ~ opcode { n += $2; next }
			{ rest += $2 }
			END {
				if (rest > most + 0) n = n ", others " rest
				print n (local ? ", local memory" : "")
			}' ops)
		is "$count" "$got" "$kernel, $arch: $opcode $count times in a pass"
		[ "$got" = "$count" ] || comment <ops
	done
done <table

done_testing

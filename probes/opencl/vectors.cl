// What the kernels share: vectors by their width, and one number made of a vector.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define WORDS_1 uint
#define WORDS_2 uint2
#define WORDS_4 uint4
#define WORDS_8 uint8
#define WORDS_16 uint16
#define WORDS(width) WORDS_##width

// The numbers of a vector's elements.
#define ELEMENTS_1 (uint)(0)
#define ELEMENTS_2 (uint2)(0, 1)
#define ELEMENTS_4 (uint4)(0, 1, 2, 3)
#define ELEMENTS_8 (uint8)(0, 1, 2, 3, 4, 5, 6, 7)
#define ELEMENTS_16 (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

#define SUM_1(type, v) ((type)(v))
#define SUM_2(type, v) (SUM_1(type, (v).s0) + SUM_1(type, (v).s1))
#define SUM_4(type, v) (SUM_2(type, (v).lo) + SUM_2(type, (v).hi))
#define SUM_8(type, v) (SUM_4(type, (v).lo) + SUM_4(type, (v).hi))
#define SUM_16(type, v) (SUM_8(type, (v).lo) + SUM_8(type, (v).hi))

#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)

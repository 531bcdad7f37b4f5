/*
 * One byte for each feature that the compiler knows, with its name behind an f: the builder asks for sizes and offsets,
 * and compares features with a mask eight bytes at a time, so the struct is a multiple of eight.
 */
#ifndef AMD64CPUFEATURES_H
#define AMD64CPUFEATURES_H

#include <stdbool.h>

#define CPU_FEATURES(X) \
  X(CX8) \
  X(CMOV) \
  X(FXSR) \
  X(HT) \
  X(MMX) \
  X(AMD_3DNOW_PREFETCH) \
  X(SSE) \
  X(SSE2) \
  X(SSE3) \
  X(SSSE3) \
  X(SSE4A) \
  X(SSE4_1) \
  X(SSE4_2) \
  X(POPCNT) \
  X(LZCNT) \
  X(TSC) \
  X(TSCINV) \
  X(TSCINV_BIT) \
  X(AVX) \
  X(AVX2) \
  X(AES) \
  X(ERMS) \
  X(CLMUL) \
  X(BMI1) \
  X(BMI2) \
  X(RTM) \
  X(ADX) \
  X(AVX512F) \
  X(AVX512DQ) \
  X(AVX512PF) \
  X(AVX512ER) \
  X(AVX512CD) \
  X(AVX512BW) \
  X(AVX512VL) \
  X(SHA) \
  X(FMA) \
  X(VZEROUPPER) \
  X(AVX512_VPOPCNTDQ) \
  X(AVX512_VPCLMULQDQ) \
  X(AVX512_VAES) \
  X(AVX512_VNNI) \
  X(FLUSH) \
  X(FLUSHOPT) \
  X(CLWB) \
  X(AVX512_VBMI2) \
  X(AVX512_VBMI) \
  X(HV) \
  X(SERIALIZE) \
  X(RDTSCP) \
  X(RDPID) \
  X(FSRM) \
  X(GFNI) \
  X(AVX512_BITALG) \
  X(PKU) \
  X(OSPKE) \
  X(CET_IBT) \
  X(CET_SS) \
  X(F16C) \
  X(AVX512_IFMA) \
  X(AVX_IFMA) \
  X(APX_F) \
  X(SHA512) \
  X(AVX512_FP16) \
  X(AVX10_1) \
  X(AVX10_2)

#define FIELD(name) bool f##name;
typedef struct {
  CPU_FEATURES(FIELD)
} __attribute__((aligned(8))) CPUFeatures;
#undef FIELD

#endif

/* The builder asks for the layout of each processor's features, whatever it builds for; this one is used for no more. */
#ifndef RISCV64CPUFEATURES_H
#define RISCV64CPUFEATURES_H

#include <stdbool.h>

typedef struct {
  bool fI;
  bool fM;
  bool fA;
  bool fF;
  bool fD;
  bool fC;
  bool fV;
} CPUFeatures;

#endif

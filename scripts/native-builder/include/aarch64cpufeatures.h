/* The builder asks for the layout of each processor's features, whatever it builds for; this one is used for no more. */
#ifndef AARCH64CPUFEATURES_H
#define AARCH64CPUFEATURES_H

#include <stdbool.h>

typedef struct {
  bool fFP;
  bool fASIMD;
  bool fEVTSTRM;
  bool fAES;
  bool fPMULL;
  bool fSHA1;
  bool fSHA2;
  bool fCRC32;
  bool fLSE;
  bool fDCPOP;
  bool fSHA3;
  bool fSHA512;
  bool fSVE;
  bool fSVE2;
  bool fSTXR_PREFETCH;
  bool fA53MAC;
  bool fDMB_ATOMICS;
  bool fPACA;
  bool fSVEBITPERM;
  bool fFPHP;
  bool fASIMDHP;
} CPUFeatures;

#endif

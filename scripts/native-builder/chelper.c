/*
 * What a native image's Java code calls in C beyond the C library and the JDK's own libraries, for x86-64 Linux with
 * glibc. Names and signatures are those of the @CFunction declarations in the builder's classes.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "amd64cpufeatures.h"
#include "svm_locale.h"

/* C functions with a variable number of arguments, for callers that cannot pass such. */

int openSII(const char *path, int flags, int mode) { return open(path, flags, mode); }

int openatISII(int directory, const char *path, int flags, int mode) { return openat(directory, path, flags, mode); }

int fprintfSD(FILE *stream, const char *format, const char *text, int number) {
  return fprintf(stream, format, text, number);
}

void *mremapP(void *old, size_t old_size, size_t new_size, int flags, void *new) {
  return mremap(old, old_size, new_size, flags, new);
}

/* Called once at the start, for a virtual machine that has something to prepare; jvm.c has not. */
void initialize(void) {}

/* Threads and the environment. */

int getThreadId(void) { return (int)syscall(SYS_gettid); }

char **getEnviron(void) { return environ; }

/* Signals: the handler only counts; a Java thread waits for the semaphore and then asks which signal came. */

static sem_t signals_waiting;
static atomic_int opened;
static atomic_int pending[NSIG];

static void on_signal(int number) {
  int before = errno;
  atomic_fetch_add(&pending[number], 1);
  sem_post(&signals_waiting);
  errno = before;
}

int cSunMiscSignal_open(void) {
  int expected = 0;
  if (!atomic_compare_exchange_strong(&opened, &expected, 1)) {
    errno = EBUSY;
    return -1;
  }
  return sem_init(&signals_waiting, 0, 0);
}

int cSunMiscSignal_close(void) {
  if (sem_destroy(&signals_waiting) != 0) {
    return -1;
  }
  atomic_store(&opened, 0);
  return 0;
}

int cSunMiscSignal_awaitSemaphore(void) {
  int result;
  do {
    result = sem_wait(&signals_waiting);
  } while (result != 0 && errno == EINTR);
  return result;
}

int cSunMiscSignal_signalSemaphore(void) { return sem_post(&signals_waiting); }

int cSunMiscSignal_signalRangeCheck(int number) { return number > 0 && number < NSIG; }

/* The number of a signal that came, which counts as seen from then on; -1 when there is none. */
int cSunMiscSignal_checkPendingSignal(void) {
  for (int number = 1; number < NSIG; number++) {
    int count = atomic_load(&pending[number]);
    while (count > 0) {
      if (atomic_compare_exchange_weak(&pending[number], &count, count - 1)) {
        return number;
      }
    }
  }
  return -1;
}

void *cSunMiscSignal_signalHandlerFunctionPointer(void) { return (void *)on_signal; }

/*
 * The processor. Features that an image may demand (up to x86-64-v3) or that its compiled code asks about; a feature
 * that is not looked for here counts as absent, which costs speed and never correctness.
 */
void determineCPUFeatures(CPUFeatures *features) {
  unsigned a, b, c, d;
  bool avx = false;
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    features->fCX8 = (d & bit_CMPXCHG8B) != 0;
    features->fCMOV = (d & bit_CMOV) != 0;
    features->fMMX = (d & bit_MMX) != 0;
    features->fFXSR = (d & bit_FXSAVE) != 0;
    features->fSSE = (d & bit_SSE) != 0;
    features->fSSE2 = (d & bit_SSE2) != 0;
    features->fTSC = (d & (1u << 4)) != 0;
    features->fHT = (d & (1u << 28)) != 0;
    features->fSSE3 = (c & bit_SSE3) != 0;
    features->fCLMUL = (c & bit_PCLMUL) != 0;
    features->fSSSE3 = (c & bit_SSSE3) != 0;
    features->fSSE4_1 = (c & bit_SSE4_1) != 0;
    features->fSSE4_2 = (c & bit_SSE4_2) != 0;
    features->fPOPCNT = (c & bit_POPCNT) != 0;
    features->fAES = (c & bit_AES) != 0;
    features->fHV = (c & (1u << 31)) != 0;
    /* the wide registers count only where the system saves them */
    if ((c & bit_OSXSAVE) != 0) {
      unsigned low, high;
      __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      avx = (low & 6) == 6;
    }
    features->fAVX = avx && (c & bit_AVX) != 0;
    features->fFMA = avx && (c & bit_FMA) != 0;
    features->fF16C = avx && (c & bit_F16C) != 0;
    features->fVZEROUPPER = features->fAVX;
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    features->fBMI1 = (b & bit_BMI) != 0;
    features->fBMI2 = (b & bit_BMI2) != 0;
    features->fERMS = (b & (1u << 9)) != 0;
    features->fADX = (b & bit_ADX) != 0;
    features->fSHA = (b & bit_SHA) != 0;
    features->fAVX2 = features->fAVX && (b & bit_AVX2) != 0;
    features->fFSRM = (d & (1u << 4)) != 0;
  }
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) {
    features->fLZCNT = (c & bit_LZCNT) != 0;
    features->fSSE4A = (c & bit_SSE4a) != 0;
    features->fAMD_3DNOW_PREFETCH = (c & (1u << 8)) != 0;
    features->fRDTSCP = (d & (1u << 27)) != 0;
  }
  if (__get_cpuid(0x80000007, &a, &b, &c, &d)) {
    features->fTSCINV_BIT = (d & (1u << 8)) != 0;
    features->fTSCINV = features->fTSC && features->fTSCINV_BIT;
  }
}

/* The mask has 0xfe for a feature that the image needs, else 0xff. Returns 0 when none of those is missing. */
int checkCPUFeatures(const unsigned char *mask) {
  CPUFeatures features;
  memset(&features, 0, sizeof features);
  determineCPUFeatures(&features);
  const unsigned char *present = (const unsigned char *)&features;
  for (size_t i = 0; i < sizeof features; i++) {
    if ((unsigned char)(present[i] | mask[i]) != 0xff) {
      return 1;
    }
  }
  return 0;
}

int checkCPUFeaturesOrExit(const unsigned char *mask, const char *message) {
  if (checkCPUFeatures(mask) != 0) {
    fputs(message, stderr);
    exit(1);
  }
  return 0;
}

/* Language: the product's texts are English and its numbers neutral, so the user's locale is not asked for. */

static const svm_locale_props_t english = {.display_language = "en", .format_language = "en"};

int svm_initialize_locale(void) { return SVM_LOCALE_INITIALIZATION_SUCCEEDED; }

const svm_locale_props_t *svm_get_locale(void) { return &english; }

/* The time zone's name, from TZ or from where /etc/localtime points to; NULL (UTC) when neither says. */
char *SVM_FindJavaTZmd(const char *mappings, int length) {
  static const char zones[] = "/zoneinfo/";
  char target[PATH_MAX];
  (void)mappings; /* only Windows has such */
  (void)length;
  const char *name = getenv("TZ");
  if (name != NULL && *name == ':') {
    name++;
  }
  if (name == NULL || *name == '\0') {
    ssize_t size = readlink("/etc/localtime", target, sizeof target - 1);
    if (size <= 0) {
      return NULL;
    }
    target[size] = '\0';
    name = strstr(target, zones);
    name = name == NULL ? NULL : name + sizeof zones - 1;
  }
  return name == NULL ? NULL : strdup(name);
}

/*
 * The JDK's libraries initialize themselves in JNI_OnLoad, a name that each of them has; an image asks for one name per
 * library instead, as static libraries have them.
 */
static jint forward(const char *library, JavaVM *vm, void *reserved) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) {
    fprintf(stderr, "%s is not loaded: %s\n", library, dlerror());
    return JNI_ERR;
  }
  jint (*on_load)(JavaVM *, void *) = (jint(*)(JavaVM *, void *))dlsym(handle, "JNI_OnLoad");
  jint result = on_load == NULL ? JNI_VERSION_1_8 : on_load(vm, reserved);
  dlclose(handle);
  return result < 0 ? result : JNI_VERSION_1_8;
}

#define ON_LOAD(name) \
  JNIEXPORT jint JNICALL JNI_OnLoad_##name(JavaVM *vm, void *reserved) { return forward("lib" #name ".so", vm, reserved); }
ON_LOAD(java)
ON_LOAD(net)
ON_LOAD(nio)
ON_LOAD(zip)
ON_LOAD(extnet)
ON_LOAD(management)
ON_LOAD(management_ext)

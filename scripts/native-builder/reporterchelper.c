/* What the builder's progress report asks for: the width of the terminal, and the most memory that was in use. */
#include <jni.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

JNIEXPORT jint JNICALL Java_com_oracle_svm_hosted_ProgressReporterCHelper_getTerminalWindowColumns0(
    JNIEnv *env, jclass type) {
  struct winsize size;
  (void)env;
  (void)type;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

JNIEXPORT jlong JNICALL Java_com_oracle_svm_hosted_ProgressReporterCHelper_getPeakRSS0(JNIEnv *env, jclass type) {
  struct rusage usage;
  (void)env;
  (void)type;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss * 1024L : -1;
}

/*
 * A libjvm.so for native images: the JDK's libraries bind to these names when they are loaded. What images call is here;
 * for all other names assemble.sh makes a function that says its name and ends the process (names.h).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int JVM_ActiveProcessorCount(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return CPU_COUNT(&set);
  }
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void *JVM_FindLibraryEntry(void *handle, const char *name) { return dlsym(handle, name); }

void JVM_Halt(int code) { _exit(code); }

int jio_vfprintf(FILE *stream, const char *format, va_list arguments) { return vfprintf(stream, format, arguments); }

int jio_fprintf(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vfprintf(stream, format, arguments);
  va_end(arguments);
  return written;
}

int jio_vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
  return vsnprintf(text, size, format, arguments);
}

int jio_snprintf(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return written;
}

static void absent(const char *name) {
  fprintf(stderr, "%s was called, which this native image has not\n", name);
  abort();
}

#define ABSENT(name) \
  void name(void) { absent(#name); }
#include "names.h"

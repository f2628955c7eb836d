/*
 * A disk under test: loaded into a program by LD_PRELOAD, between it and what it does to files.
 *
 * Only files below DISK_ROOT are concerned. Calls are numbered within their point: the call's name and
 * the file's, digits as '#', such as "fdatasync log/spare-#.draft". A write to a file that syncs each of
 * them is called "dsync": LMDB's meta pages.
 *
 *   DISK_TRACE    a file: a line for each call, its point; and "! point number" for one that was failed.
 *   DISK_RECORD   a file: each change with its data, for the model of a power cut (record.ts reads it).
 *   DISK_POINT    the point that fails ("" fails none), DISK_AT its number from 1, and how (DISK_FAULT):
 *                 EIO, ENOSPC: that call alone; EIO+, ENOSPC+: it and everything that writes after it;
 *                 SHORT: a write of half the bytes, then ENOSPC for the next of the point.
 *
 * A program that does its work again and again tells the shim what comes next by a rename of no file: from
 * "/disk-shim" to "FAULT AT POINT" for a fault, "count" for lines of each call, "rest" for neither.
 *
 * One lock is held over each call, so that a record has the order in which the disk saw them. What is
 * written through a map of a file is not seen: LMDB does so with its lock file alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root = NULL;
static size_t root_length = 0;
static int trace_fd = -1;
static int record_fd = -1;
static const char *fault_point = "";
static long fault_at = 0;
static int fault_errno = EIO;
static int fault_stays = 0;
static int fault_is_short = 0;
static long point_count = 0;
static int is_broken = 0;
static int is_counting = 1;

#define REAL(name) ((__typeof__(&name))real_##name)
#define FIND(name) (real_##name ? real_##name : (real_##name = dlsym(RTLD_NEXT, #name)))
static void *real_open64, *real_openat64, *real_write, *real_pwrite64, *real_writev, *real_pwritev64;
static void *real_fsync, *real_fdatasync, *real_rename, *real_link, *real_unlink, *real_unlinkat;
static void *real_rmdir, *real_mkdir, *real_ftruncate64, *real_mmap64;
static void *real_read, *real_pread64, *real_readv, *real_preadv64;

static void fail_at(const char *how, const char *at, const char *point) {
  fault_errno = strncmp(how, "EIO", 3) == 0 ? EIO : ENOSPC;
  fault_stays = how[strlen(how) - 1] == '+';
  fault_is_short = strcmp(how, "SHORT") == 0;
  fault_at = at ? atol(at) : 0;
  fault_point = point ? point : "";
}

/* What a program says itself: see above. */
static int obey(const char *wish) {
  static char words[PATH_MAX + 64];
  pthread_mutex_lock(&lock);
  snprintf(words, sizeof words, "%s", wish);
  char *rest = words, *how = strsep(&rest, " "), *at = strsep(&rest, " ");
  point_count = is_broken = 0;
  is_counting = strcmp(wish, "count") == 0;
  fail_at(how, at, rest);
  pthread_mutex_unlock(&lock);
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  FIND(open64); FIND(openat64); FIND(write); FIND(pwrite64); FIND(writev); FIND(pwritev64);
  FIND(fsync); FIND(fdatasync); FIND(rename); FIND(link); FIND(unlink); FIND(unlinkat);
  FIND(rmdir); FIND(mkdir); FIND(ftruncate64); FIND(mmap64);
  FIND(read); FIND(pread64); FIND(readv); FIND(preadv64);
  const int append = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const char *path = getenv("DISK_TRACE");
  if (path) trace_fd = REAL(open64)(path, append, 0600);
  path = getenv("DISK_RECORD");
  if (path) record_fd = REAL(open64)(path, append, 0600);
  if (getenv("DISK_FAULT")) fail_at(getenv("DISK_FAULT"), getenv("DISK_AT"), getenv("DISK_POINT"));
  root = getenv("DISK_ROOT");
  root_length = root ? strlen(root) : 0;
}

/* The part of a path below the root; NULL for other paths. The root itself is ".". */
static const char *below_root(const char *path) {
  if (!root || !path || strncmp(path, root, root_length) != 0) return NULL;
  if (path[root_length] == '\0') return ".";
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static const char *path_of(int fd, char *into) {
  char link[64];
  if (!root || fd < 0) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, into, PATH_MAX - 1);
  if (length < 0) return NULL;
  into[length] = '\0';
  return below_root(into);
}

static const char *path_at(int directory, const char *path, char *into) {
  if (path && path[0] == '/') return below_root(path);
  const char *above = path_of(directory, into);
  if (!above || !path) return NULL;
  size_t length = strlen(into);
  snprintf(into + length, PATH_MAX - length, "/%s", path);
  return below_root(into);
}

static void say(const char *mark, const char *point, long number) {
  char line[PATH_MAX + 64];
  if (trace_fd < 0 || (*mark == '\0' && !is_counting)) return;
  int length = number ? snprintf(line, sizeof line, "%s%s %ld\n", mark, point, number)
                      : snprintf(line, sizeof line, "%s%s\n", mark, point);
  (void)!REAL(write)(trace_fd, line, length);
}

/* Counts a call. @returns 0 to let it happen, 1 to fail it with errno set, 2 to write half of it. */
static int fault(const char *call, const char *path, int writes) {
  char point[PATH_MAX + 64];
  int at = snprintf(point, 64, "%s ", call);
  for (const char *from = path; *from && at < PATH_MAX; from++) {
    int is_digit = *from >= '0' && *from <= '9';
    if (!is_digit) point[at++] = *from;
    else if (point[at - 1] != '#') point[at++] = '#';
  }
  point[at] = '\0';
  say("", point, 0);
  if (is_broken && writes) {
    errno = fault_errno;
    return 1;
  }
  if (strcmp(point, fault_point) != 0) return 0;
  point_count++;
  if (point_count != fault_at && !(fault_is_short && point_count == fault_at + 1)) return 0;
  say("! ", point, point_count);
  if (fault_is_short && point_count == fault_at) return 2;
  is_broken = fault_stays;
  errno = fault_errno;
  return 1;
}

enum { CREATE = 1, WRITE, ZEROS, SYNC, RENAME, UNLINK, MKDIR, RMDIR, SIZE, LINK };

/* | kind u8 | durable u8 | path u16 | other u16 | 0 u16 | offset u64 | length u64 | path | other | data | */
static void record(int kind, int durable, const char *path, const char *other, uint64_t offset,
                   const struct iovec *parts, int count, uint64_t length) {
  if (record_fd < 0) return;
  char head[24] = {(char)kind, (char)durable};
  uint16_t path_length = strlen(path), other_length = strlen(other);
  memcpy(head + 2, &path_length, 2);
  memcpy(head + 4, &other_length, 2);
  memcpy(head + 8, &offset, 8);
  memcpy(head + 16, &length, 8);
  struct iovec all[1030] = {{head, 24}, {(void *)path, path_length}, {(void *)other, other_length}};
  uint64_t left = kind == WRITE ? length : 0;
  int used = 3;
  for (int index = 0; index < count && left > 0 && used < 1030; index++) {
    uint64_t bytes = parts[index].iov_len < left ? parts[index].iov_len : left;
    all[used++] = (struct iovec){parts[index].iov_base, bytes};
    left -= bytes;
  }
  (void)!REAL(writev)(record_fd, all, used);
}

static int is_zero(const struct iovec *parts, int count) {
  for (int index = 0; index < count; index++) {
    const char *bytes = parts[index].iov_base;
    size_t length = parts[index].iov_len;
    if (length > 0 && (bytes[0] != 0 || memcmp(bytes, bytes + 1, length - 1) != 0)) return 0;
  }
  return 1;
}

/* All ways of writing come here; offset < 0: where the file is. */
static ssize_t write_parts(int fd, const struct iovec *parts, int count, off64_t offset) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  struct iovec half;
  if (!path) {
    if (offset >= 0) return REAL(pwritev64)(fd, parts, count, offset);
    return REAL(writev)(fd, parts, count);
  }
  pthread_mutex_lock(&lock);
  ssize_t written = -1;
  int flags = fcntl(fd, F_GETFL);
  int durable = (flags & (O_DSYNC | O_SYNC)) != 0;
  int verdict = fault(durable ? "dsync" : "write", path, 1);
  if (verdict == 2) {
    half = (struct iovec){parts[0].iov_base, (parts[0].iov_len + 1) / 2};
    parts = &half;
    count = 1;
  }
  if (verdict != 1) {
    off64_t at = offset;
    if (at < 0) at = (flags & O_APPEND) ? lseek64(fd, 0, SEEK_END) : lseek64(fd, 0, SEEK_CUR);
    written = offset >= 0 ? REAL(pwritev64)(fd, parts, count, offset)
                          : REAL(writev)(fd, parts, count);
    if (written > 0) {
      int kind = is_zero(parts, count) ? ZEROS : WRITE;
      record(kind, durable, path, "", at, parts, count, written);
    }
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(fd, &part, 1, -1);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return write_parts(fd, parts, count, -1);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(fd, &part, 1, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return write_parts(fd, parts, count, offset);
}

/* Counts a call about a path, and records it when it has happened. */
#define GUARDED(call, path, writes, real, then)      \
  if (!(path)) return real;                          \
  pthread_mutex_lock(&lock);                         \
  __typeof__(real) found = (__typeof__(real))-1;     \
  if (fault(call, path, writes) == 0) {              \
    found = real;                                    \
    if (found != (__typeof__(real))-1) then;         \
  }                                                  \
  int error = errno;                                 \
  pthread_mutex_unlock(&lock);                       \
  errno = error;                                     \
  return found

int fsync(int fd) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  GUARDED("fsync", path, 1, REAL(fsync)(fd), record(SYNC, 0, path, "", 0, NULL, 0, 0));
}
int fdatasync(int fd) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  GUARDED("fdatasync", path, 1, REAL(fdatasync)(fd), record(SYNC, 0, path, "", 0, NULL, 0, 0));
}
int ftruncate64(int fd, off64_t length) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  GUARDED("ftruncate", path, 1, REAL(ftruncate64)(fd, length),
          record(SIZE, 0, path, "", 0, NULL, 0, length));
}
int rename(const char *from, const char *to) {
  if (from && strcmp(from, "/disk-shim") == 0) return obey(to);
  const char *path = below_root(from);
  GUARDED("rename", path, 1, REAL(rename)(from, to),
          record(RENAME, 0, path, below_root(to) ? below_root(to) : "", 0, NULL, 0, 0));
}
int link(const char *from, const char *to) {
  const char *path = below_root(to);
  GUARDED("link", path, 1, REAL(link)(from, to),
          record(LINK, 0, below_root(from) ? below_root(from) : "", path, 0, NULL, 0, 0));
}
int unlink(const char *name) {
  const char *path = below_root(name);
  GUARDED("unlink", path, 1, REAL(unlink)(name), record(UNLINK, 0, path, "", 0, NULL, 0, 0));
}
int unlinkat(int directory, const char *name, int flags) {
  char buffer[PATH_MAX];
  const char *path = path_at(directory, name, buffer);
  int kind = (flags & AT_REMOVEDIR) ? RMDIR : UNLINK;
  GUARDED("unlink", path, 1, REAL(unlinkat)(directory, name, flags),
          record(kind, 0, path, "", 0, NULL, 0, 0));
}
int rmdir(const char *name) {
  const char *path = below_root(name);
  GUARDED("rmdir", path, 1, REAL(rmdir)(name), record(RMDIR, 0, path, "", 0, NULL, 0, 0));
}
int mkdir(const char *name, mode_t mode) {
  const char *path = below_root(name);
  GUARDED("mkdir", path, 1, REAL(mkdir)(name, mode), record(MKDIR, 0, path, "", 0, NULL, 0, 0));
}
void *mmap64(void *start, size_t length, int protection, int flags, int fd, off64_t offset) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  GUARDED("mmap", path, 0, REAL(mmap64)(start, length, protection, flags, fd, offset), (void)0);
}

/* What is read through a map is not seen: LMDB's pages. */
#define READS(name, parameters, arguments)                \
  ssize_t name parameters {                               \
    char buffer[PATH_MAX];                                \
    const char *path = path_of(fd, buffer);               \
    GUARDED("read", path, 0, REAL(name) arguments, (void)0); \
  }
READS(read, (int fd, void *bytes, size_t length), (fd, bytes, length))
READS(pread64, (int fd, void *bytes, size_t length, off64_t at), (fd, bytes, length, at))
READS(readv, (int fd, const struct iovec *parts, int count), (fd, parts, count))
READS(preadv64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at))

static int open_path(const char *path, int directory, const char *name, int flags, mode_t mode) {
  struct stat before;
  if (!path) return REAL(openat64)(directory, name, flags, mode);
  pthread_mutex_lock(&lock);
  int fd = -1;
  int is_there = fstatat(directory, name, &before, 0) == 0;
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  if (fault(writes ? "open" : "look", path, writes) == 0) {
    fd = REAL(openat64)(directory, name, flags, mode);
    if (fd >= 0 && !is_there) record(CREATE, 0, path, "", 0, NULL, 0, 0);
    else if (fd >= 0 && (flags & O_TRUNC)) record(SIZE, 0, path, "", 0, NULL, 0, 0);
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}
#define OPENS(name)                                           \
  int name(const char *path, int flags, ...) {                \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode_t mode = mode_of(flags, rest);                       \
    va_end(rest);                                             \
    return open_path(below_root(path), AT_FDCWD, path, flags, mode); \
  }
OPENS(open)
OPENS(open64)
#define OPENS_AT(name)                                        \
  int name(int directory, const char *path, int flags, ...) { \
    char buffer[PATH_MAX];                                    \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode_t mode = mode_of(flags, rest);                       \
    va_end(rest);                                             \
    return open_path(path_at(directory, path, buffer), directory, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

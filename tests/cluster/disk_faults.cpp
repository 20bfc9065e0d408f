// A disk that fails on request: preloaded into an agent, it makes single steps of replacing the
// state file fail, or the record of the command's first process. The guardian is linked statically
// and does not see it.
//
// DISK_FAULTS_OF names the state folder; nothing outside of it is touched. DISK_FAULTS names a
// folder of the test's own with
//   now   one line "ID STEP HOW ERRNO COUNT UNTIL", read at every step; ID tells one order from
//         the next, COUNT 0: any number of times, UNTIL 0: for ever, else seconds of boot time
//   hits  a line for every fault injected: time, step, how
//   kept  the state file that a crash of the machine would leave: copied there whenever file and
//         folder have really been synchronised
// STEP  open, write, fsync, rename, open_folder, fsync_folder; record, which is written in place
// HOW   fail: reported failed, and not done. done: done, yet reported failed. short: every write
//       takes half of what it is given, and the last byte does not fit. slow: done, but only when
//       UNTIL is over
//
// libc only, and no memory is allocated: it runs inside of whatever calls it.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
int real_open(const char* path, int flags, mode_t mode) {
    return real<int(const char*, int, ...)>("open")(path, flags, mode);
}
ssize_t real_write(int fd, const void* bytes, size_t size) {
    return real<ssize_t(int, const void*, size_t)>("write")(fd, bytes, size);
}
int real_rename(const char* from, const char* to) {
    return real<int(const char*, const char*)>("rename")(from, to);
}

char own_folder[PATH_MAX], state_folder[PATH_MAX];
char state_file[PATH_MAX];   // known after the first rename
bool file_dirty = false;     // written, and not synchronised since
bool folder_failed = false;  // the kernel reports a lost write once, and then forgets it

// The agent alone is meant, not its command.
__attribute__((constructor)) void begin() {
    const char* own = std::getenv("DISK_FAULTS");
    const char* state = std::getenv("DISK_FAULTS_OF");
    if (own == nullptr || state == nullptr) return;
    std::snprintf(own_folder, sizeof own_folder, "%s", own);
    std::snprintf(state_folder, sizeof state_folder, "%s", state);
    unsetenv("LD_PRELOAD");
}

struct Path {
    char text[PATH_MAX] = "";
};

Path path_of(int fd) {
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    Path path;
    const ssize_t size = readlink(link, path.text, sizeof path.text - 1);
    path.text[size > 0 ? size : 0] = '\0';
    return path;
}
Path path_at(int folder, const char* name) {
    Path path;
    if (folder == AT_FDCWD || name[0] == '/') {
        std::snprintf(path.text, sizeof path.text, "%s", name);
        return path;
    }
    path = path_of(folder);
    const size_t size = std::strlen(path.text);
    std::snprintf(path.text + size, sizeof path.text - size, "/%s", name);
    return path;
}
Path own_path(const char* name) {
    Path path;
    const int size = std::snprintf(path.text, sizeof path.text, "%s/%s", own_folder, name);
    if (size < 0 || size >= PATH_MAX) path.text[0] = '\0';
    return path;
}

bool is_ours(const Path& path) {
    const size_t size = std::strlen(state_folder);
    if (size == 0 || std::strncmp(path.text, state_folder, size) != 0) return false;
    return path.text[size] == '/' || path.text[size] == '\0';
}
// NAME.state and NAME.tree, and whatever is written to become one.
bool has_name(const Path& path, const char* ending) {
    const char* slash = std::strrchr(path.text, '/');
    return is_ours(path) && slash != nullptr && std::strstr(slash, ending) != nullptr;
}

// ---------------------------------------------------------------- what is to fail now

enum class How { well, fail, done, half };

double boot_time() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void note_hit(const char* step, const char* how) {
    const int hits = real_open(own_path("hits").text, O_WRONLY | O_CREAT | O_APPEND, 0644);
    char line[128];
    const int size = std::snprintf(line, sizeof line, "%.6f %s %s\n", boot_time(), step, how);
    if (hits >= 0 && real_write(hits, line, static_cast<size_t>(size)) != size) _exit(99);
    if (hits >= 0) close(hits);
}

void wait_until(double time) {
    const timespec due{static_cast<time_t>(time), 0};  // up to a second early
    while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &due, nullptr) == EINTR) {
    }
    while (boot_time() < time) usleep(1000);
}

How order(const char* step, int* error) {
    static long counted = 0, hits = 0;
    const int file = real_open(own_path("now").text, O_RDONLY, 0);
    if (file < 0) return How::well;
    char text[256] = "", named[32] = "", how[32] = "";
    const ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    long id = 0, most = 0;
    double until = 0;
    if (got <= 0 ||
        std::sscanf(text, "%ld %31s %31s %d %ld %lf", &id, named, how, error, &most, &until) != 6)
        return How::well;
    if (id != counted) counted = id, hits = 0;
    if (std::strcmp(step, named) != 0 || (most != 0 && hits >= most)) return How::well;
    if (until != 0 && boot_time() >= until) return How::well;
    ++hits;
    note_hit(step, how);
    if (std::strcmp(how, "fail") == 0) return How::fail;
    if (std::strcmp(how, "done") == 0) return How::done;
    if (std::strcmp(how, "short") == 0) return How::half;
    wait_until(until);
    return How::well;
}

// Performs the step or not, and reports what is asked for.
template <class Step>
auto perform(const char* name, const Step& step) {
    int error = 0;
    const How how = order(name, &error);
    if (how == How::well) return step();
    decltype(step()) result = -1;
    if (how == How::done) step();
    errno = error;
    return result;
}

// ---------------------------------------------------------------- what a crash would leave

void keep_state() {
    if (state_file[0] == '\0') return;
    const Path beside = own_path("kept.new");
    const int from = real_open(state_file, O_RDONLY, 0);
    const int to = real_open(beside.text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char chunk[4096];
    for (ssize_t got; !file_dirty && (got = read(from, chunk, sizeof chunk)) > 0;)
        if (real_write(to, chunk, static_cast<size_t>(got)) != got) _exit(99);
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    real_rename(beside.text, own_path("kept").text);
}

int synchronise(const char* function, int fd) {
    const Path path = path_of(fd);
    struct stat found{};
    const bool folder = is_ours(path) && fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
    auto* const sync = real<int(int)>(function);
    if (!folder && !has_name(path, ".state")) return sync(fd);
    bool happened = false;
    const int result = perform(folder ? "fsync_folder" : "fsync", [&] {
        const int done = sync(fd);
        happened = done == 0;
        return done;
    });
    const int error = errno;
    if (!folder) file_dirty = file_dirty && !happened;
    if (folder && !happened) folder_failed = true;
    if (folder && happened && !folder_failed) keep_state();
    errno = error;
    return result;
}

template <class Step>
int replace(const Path& to, const Step& step) {
    if (!has_name(to, ".state")) return step();
    return perform("rename", [&] {
        const int result = step();
        if (result != 0) return result;
        std::memcpy(state_file, to.text, sizeof state_file);
        folder_failed = false;
        return result;
    });
}

template <class Step>
int open_as(const Path& path, int flags, const Step& step) {
    const bool folder = (flags & O_DIRECTORY) != 0 && is_ours(path);
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && has_name(path, ".state");
    if (!folder && !writes) return step();
    int opened = -1;
    const int result = perform(folder ? "open_folder" : "open", [&] { return opened = step(); });
    const int error = errno;
    if (result < 0 && opened >= 0) close(opened);  // done, yet reported failed
    errno = error;
    return result;
}

mode_t mode_in(int flags, va_list rest) {
    const bool given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return given ? va_arg(rest, mode_t) : 0;
}

}  // namespace

// ---------------------------------------------------------------- instead of libc's own

#pragma GCC visibility push(default)
extern "C" {

// open and open64 are one function where files have 64-bit sizes, as they do here.
int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return open_as(path_at(AT_FDCWD, path), flags, [&] { return real_open(path, flags, mode); });
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return open(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return open_as(path_at(folder, path), flags, [&] {
        return real<int(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
    });
}
int openat64(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return openat(folder, path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
    if (!has_name(path_of(fd), ".state")) return real_write(fd, bytes, size);
    file_dirty = true;
    int error = 0;
    const How how = order("write", &error);
    if (how == How::well) return real_write(fd, bytes, size);
    if (how == How::half && size > 1) return real_write(fd, bytes, size / 2);
    if (how == How::done) real_write(fd, bytes, size);
    errno = error;
    return -1;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
    const auto step = [&] {
        return real<ssize_t(int, const void*, size_t, off_t)>("pwrite")(fd, bytes, size, at);
    };
    return has_name(path_of(fd), ".tree") ? perform("record", step) : step();
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t at) {
    return pwrite(fd, bytes, size, at);
}

int fsync(int fd) { return synchronise("fsync", fd); }
int fdatasync(int fd) { return synchronise("fdatasync", fd); }

int rename(const char* from, const char* to) noexcept {
    return replace(path_at(AT_FDCWD, to), [&] { return real_rename(from, to); });
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
    return replace(path_at(to_folder, to), [&] {
        return real<int(int, const char*, int, const char*)>("renameat")(from_folder, from,
                                                                         to_folder, to);
    });
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
    return replace(path_at(to_folder, to), [&] {
        return real<int(int, const char*, int, const char*, unsigned)>("renameat2")(
            from_folder, from, to_folder, to, flags);
    });
}

}  // extern "C"
#pragma GCC visibility pop

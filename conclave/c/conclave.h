/* Leader election in a C program: the program leads, or somebody else does.
 *
 *     conclave_setting settings[] = {{"group", "jobs"}, {"expect", "3"}};
 *     conclave_options options = {.size = sizeof options, .settings = settings, .count = 2};
 *     conclave_elector* elector = conclave_open(&options);
 *     if (!elector) return fprintf(stderr, "%s\n", conclave_error()), 1;
 *     conclave_leadership now = {.size = sizeof now};
 *     while (conclave_campaign(elector, -1, &now) == 1) work_under(now.token, now.remaining_ns);
 *     conclave_close(elector);
 *
 * docs/library.md has the rules on threads, callbacks, fork, signals and closing: they are those of
 * the C++ class Elector. Link with -lconclave, or pkg-config --libs conclave.
 *
 * Functions that return int return a negative number when they could not do it; conclave_error()
 * then has a sentence. Pointers must not be NULL where nothing else is said.
 *
 * Structs grow at their end only. The caller sets `size` to sizeof of the struct that it was
 * compiled with; the library reads and writes no more than that.
 */
#ifndef CONCLAVE_H
#define CONCLAVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct conclave_elector conclave_elector;

/* As of one moment. Texts end with a zero. */
typedef struct conclave_leadership {
    size_t size;          /* set by the caller */
    int32_t leads;        /* 1: this program leads, and may act for remaining_ns; else 0 */
    int32_t reserved;     /* 0 */
    uint64_t token;       /* fencing token of the leader, greater than all before; 0: not known */
    int64_t remaining_ns; /* 0: this program may not act */
    int64_t deadline_ns;  /* the same as a time of CLOCK_BOOTTIME; 0: it does not lead */
    char leader[72];      /* its name; empty: there is none, or it is not known */
    char address[72];     /* of its node, IP:PORT; empty: not known */
    char value[264];      /* that it publishes; empty: none, or not heard yet */
} conclave_leadership;

typedef struct conclave_participant {
    size_t size;      /* set by the caller */
    char name[72];    /* of a member of the group */
    char address[72]; /* IP:PORT; empty: never heard */
    int32_t self;     /* 1: this program */
    int32_t leads;
    int32_t alive;   /* a follower watches its leader only: of others, what it last knew */
    int32_t witness; /* votes, but never leads */
    int32_t healthy;
    int32_t paused;
} conclave_participant;

/* A word of conclave run without the dashes, and its value: {"detect", "500ms"}. */
typedef struct conclave_setting {
    const char* name;
    const char* value;
} conclave_setting;

/* Something of the leadership changed, beside its deadline. When this program ceases to lead,
 * nobody else leads before the callback has returned or the deadline has passed: stop the work
 * here. */
typedef void (*conclave_changed)(void* context, const conclave_leadership* now);
/* A line of the log, with syslog's level: 3 error, 4 warning, 5 notice, 6 info. */
typedef void (*conclave_logged)(void* context, int level, const char* line);

typedef struct conclave_options {
    size_t size; /* set by the caller */
    const conclave_setting* settings;
    size_t count;             /* of settings */
    conclave_changed changed; /* NULL: not called */
    conclave_logged log;      /* NULL: silent */
    void* context;            /* for both */
} conclave_options;

/* Why the last call of this thread failed; empty if it did not. Valid until the next call. */
const char* conclave_error(void);
/* Of the library, such as "0.1.0". */
const char* conclave_version(void);

/* Starts an elector. NULL: refused. */
conclave_elector* conclave_open(const conclave_options* options);
/* Hands over and frees it. NULL is allowed. */
void conclave_close(conclave_elector* elector);

/* 0: `now` is filled. */
int conclave_get(const conclave_elector* elector, conclave_leadership* now);
/* Waits until this program leads: 1. 0: the time is over, or conclave_interrupt was called.
 * Negative: the elector has failed. `now` is filled in each case. timeout_ms < 0: no limit. It only
 * waits: an elector stands for election from conclave_open on. */
int conclave_campaign(conclave_elector* elector, int64_t timeout_ms, conclave_leadership* now);
/* Ends every conclave_campaign of this elector, those that wait and those that come. For another
 * thread; a signal handler must not call it. */
void conclave_interrupt(conclave_elector* elector);

/* 0: done. A successor of NULL means the best candidate. */
int conclave_resign(conclave_elector* elector, const char* successor);
/* The value that all members see while this program leads, now or later; empty: none. UTF-8 of at
 * most 256 bytes without control characters. */
int conclave_publish(conclave_elector* elector, const char* value);
/* A paused program keeps its role: it does not stand for election, and a leader leads on. */
int conclave_pause(conclave_elector* elector);
int conclave_resume(conclave_elector* elector);

/* Other members and times of the running group, on any member, whoever leads. Each waits until the
 * change is done: 0. Negative: it cannot be, or is not done in time, and conclave_error() says for
 * what it waits; said again, it goes on waiting. timeout_ms < 0: no limit. In a callback it does
 * not wait. */
int conclave_add_member(conclave_elector* elector, const char* entry, int64_t timeout_ms);
int conclave_remove_member(conclave_elector* elector, const char* name, int64_t timeout_ms);
int conclave_replace_member(conclave_elector* elector, const char* name, const char* entry,
                            int64_t timeout_ms);
/* A heartbeat of 0 stays in the same proportion to detect; a detect of 0 stays. */
int conclave_set_times(conclave_elector* elector, int64_t detect_ms, int64_t heartbeat_ms,
                       int64_t timeout_ms);
/* Makes a group of the members that are left, as in "b,c", this one among them, when a majority is
 * lost for good: docs/lease.md says what that may cost. `phrase` is what the operator typed. If it
 * is not the one that is asked for, nothing happens, and conclave_error() says it. */
int conclave_force_members(conclave_elector* elector, const char* left, const char* phrase,
                           int64_t timeout_ms);

/* The number of members. At most `capacity` of them are written to `list`, whose elements all have
 * the `size` of the first. With capacity 0 `list` may be NULL. */
int conclave_participants(const conclave_elector* elector, conclave_participant* list,
                          size_t capacity);
/* 0: the elector works. Negative: it ended by itself, and conclave_error() says why. */
int conclave_check(const conclave_elector* elector);

/* For poll and its like: readable when something has changed since the last conclave_take_news. -1
 * in a forked child. */
int conclave_fd(const conclave_elector* elector);
int conclave_take_news(conclave_elector* elector, conclave_leadership* now);

#ifdef __cplusplus
}
#endif

#endif

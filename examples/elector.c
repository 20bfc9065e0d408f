/* A program that leads, or follows: it counts aloud while it leads, and publishes what it is.
 *
 *     elector NAME STATE-FOLDER [SECONDS [GROUP]]
 *
 *     cc elector.c $(pkg-config --cflags --libs conclave) -o elector
 */
#include <conclave.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void tell(void* context, const conclave_leadership* now) {
    (void)context;
    if (now->leads)
        printf("I lead\n");
    else if (now->leader[0] == '\0')
        printf("nobody leads\n");
    else
        printf("%s leads under token %" PRIu64 ": %s\n", now->leader, now->token, now->value);
    fflush(stdout);
}

static void count_until(conclave_elector* elector, time_t end) {
    const struct timespec tenth = {0, 100000000};
    conclave_leadership now = {.size = sizeof now};
    for (int count = 1; time(NULL) < end;) {
        if (conclave_campaign(elector, 100, &now) != 1) continue;
        /* A store that is given the token can refuse one that is less than the last. */
        if (conclave_get(elector, &now) != 0 || now.remaining_ns < 20000000) continue;
        printf("%d under token %" PRIu64 "\n", count++, now.token);
        fflush(stdout);
        nanosleep(&tenth, NULL);
    }
}

int main(int count, char** words) {
    if (count < 3) {
        fprintf(stderr, "usage: elector NAME STATE-FOLDER [SECONDS [GROUP]]\n");
        return 2;
    }
    char value[128];
    snprintf(value, sizeof value, "%s is written in C", words[1]);
    const conclave_setting settings[] = {
        {"group", count > 4 ? words[4] : "counters"},
        {"name", words[1]},
        {"members", "a,b,c"},
        {"detect", "400ms"},
        {"publish", value},
        {"state", words[2]},
    };
    const conclave_options options = {.size = sizeof options,
                                      .settings = settings,
                                      .count = sizeof settings / sizeof *settings,
                                      .changed = tell};
    conclave_elector* elector = conclave_open(&options);
    if (elector == NULL) {
        fprintf(stderr, "elector: %s\n", conclave_error());
        return 2;
    }
    count_until(elector, time(NULL) + (count > 3 ? atoi(words[3]) : 60));
    conclave_close(elector);
    return 0;
}

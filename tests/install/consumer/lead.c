/* A program in C that leads a group of one. */
#include <conclave.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char state[] = "/tmp/lead_c.XXXXXX";
    if (mkdtemp(state) == NULL) return 2;
    const conclave_setting settings[] = {{"group", "alone-in-c"},
                                         {"name", "a"},
                                         {"members", "a"},
                                         {"detect", "300ms"},
                                         {"state", state}};
    const conclave_options options = {.size = sizeof options, .settings = settings, .count = 5};
    conclave_elector* elector = conclave_open(&options);
    conclave_leadership now = {.size = sizeof now};
    const int led = elector != NULL ? conclave_campaign(elector, 30000, &now) : -1;
    if (led != 1) fprintf(stderr, "%s\n", conclave_error());
    conclave_close(elector);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", state);
    return system(remove) == 0 && led == 1 && now.token != 0 ? 0 : 1;
}

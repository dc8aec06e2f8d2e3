/* For the drivers in C: reads questions, writes answers. See helping.py. */

#define _POSIX_C_SOURCE 200809L /* for getline */
#include "json.h"

static Text asked[8]; /* the question's name and its arguments */

static inline void answer(void); /* of each game */
static inline void begin(Text setting, Text seat, Text view);

static inline bool is_about(const char *name) { return is_string(asked[0], name); }

static inline int number(int i) { return whole(asked[i]); }

static inline const char *string(int i) {
    static char texts[8][64];
    copy_string(asked[i], texts[i], sizeof texts[i]);
    return texts[i];
}

static inline int say_number(int value) { return value < 0 ? printf("null") : printf("%d", value); }

static inline int say_string(const char *value) { return value ? printf("\"%s\"", value) : printf("null"); }

static inline int say_bool(bool value) { return printf(value ? "true" : "false"); }

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        Text whole_line = {line, line + strlen(line)};
        if (*line == '{') {
            begin(member(whole_line, "setting"), member(whole_line, "seat"), member(whole_line, "view"));
            continue;
        }
        int count = 0;
        for (Text part = first(whole_line); part.at; part = next(part)) asked[count++] = part;
        answer();
        printf("\n");
    }
    free(line);
    return 0;
}

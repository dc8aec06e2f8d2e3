/* What all games share. */
#include "polemos.h"

#include <string.h>

typedef struct polemos_log polemos_log;
static struct {
    int32_t limit, count;
    int64_t lost;
} silence; /* a log for no events; rules only read it */
polemos_log *const polemos_silent = (polemos_log *)&silence;

const char *polemos_version(void) { return POLEMOS_VERSION; }

static int digit(char sign) {
    if (sign >= 'A' && sign <= 'Z') return sign - 'A';
    if (sign >= 'a' && sign <= 'z') return sign - 'a' + 26;
    if (sign >= '0' && sign <= '9') return sign - '0' + 52;
    return sign == '+' ? 62 : sign == '/' ? 63 : -1;
}

int polemos_read(const char *base64, void *record, size_t size) {
    unsigned char *to = record;
    size_t count = 0;
    uint32_t bits = 0;
    int have = 0;
    memset(record, 0, size);
    for (; *base64 && *base64 != '"' && *base64 != '='; base64++) {
        int value = digit(*base64);
        if (value < 0) return -1;
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            if (count == size) return -1;
            to[count++] = (unsigned char)(bits >> have);
        }
    }
    return (int)count;
}

uint64_t polemos_rule_mix(uint64_t);
uint64_t polemos_mix(uint64_t bits) { return polemos_rule_mix(bits); }

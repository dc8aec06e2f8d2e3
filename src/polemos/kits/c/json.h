/* Just enough JSON for a bot: a value is a piece of the line, and nothing is copied. */

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `at` is NULL if there is no such value. The text of a string includes its quotes. */
typedef struct {
    const char *at, *end;
} Text;

static inline const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* The position after the value that begins at p. */
static inline const char *skip(const char *p) {
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            if (*p == '\\' && p[1]) p++; /* \" does not end the string */
        return *p ? p + 1 : p;
    }
    if (*p == '{' || *p == '[') {
        int depth = 0;
        do {
            if (*p == '"') {
                p = skip(p); /* brackets within strings do not count */
                continue;
            }
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            p++;
        } while (*p && depth > 0);
        return p;
    }
    return p + strcspn(p, ",]} \t\r\n"); /* a number, true, false, null */
}

/* The value of a field of an object; nested objects are not searched. */
static inline Text member(Text object, const char *name) {
    if (object.at && *object.at == '{') {
        const char *p = blanks(object.at + 1);
        while (*p == '"') {
            Text key = {p + 1, skip(p) - 1};
            p = blanks(skip(p));
            if (*p == ':') p = blanks(p + 1);
            Text value = {p, skip(p)};
            if ((size_t)(key.end - key.at) == strlen(name) && !strncmp(key.at, name, strlen(name))) return value;
            p = blanks(value.end);
            if (*p == ',') p = blanks(p + 1);
        }
    }
    return (Text){NULL, NULL};
}

/* The first element of an array, and the one after an element:
   for (Text element = first(array); element.at; element = next(element)) ... */
static inline Text first(Text array) {
    const char *p = array.at && *array.at == '[' ? blanks(array.at + 1) : "]";
    return *p && *p != ']' ? (Text){p, skip(p)} : (Text){NULL, NULL};
}

static inline Text next(Text element) {
    const char *p = blanks(element.end);
    if (*p != ',') return (Text){NULL, NULL};
    p = blanks(p + 1);
    return (Text){p, skip(p)};
}

static inline bool is(Text value, const char *text) {
    return value.at && (size_t)(value.end - value.at) == strlen(text) && !strncmp(value.at, text, strlen(text));
}

static inline bool missing(Text value) { return !value.at || is(value, "null"); }

/* Whether a value is this string. */
static inline bool is_string(Text value, const char *text) {
    return value.at && *value.at == '"' && is((Text){value.at + 1, value.end - 1}, text);
}

/* A whole number; 0 if there is none. */
static inline int whole(Text value) { return value.at ? (int)strtol(value.at, NULL, 10) : 0; }

/* Copies a string without its quotes, as much as there is room for. Escapes stay as they are. */
static inline void copy_string(Text value, char *to, size_t room) {
    if (!value.at || *value.at != '"')
        *to = 0;
    else
        snprintf(to, room, "%.*s", (int)(value.end - value.at - 2), value.at + 1);
}

#endif

/* libpolemos: the rules of Polemos in a bot's own process. Written by `polemos kit --lib`.

   Every game has its own header, polemos_GAME.h. All functions may be called from several threads at once, on
   different records. Records are plain memory: copy them, compare them, keep them. */
#ifndef POLEMOS_H
#define POLEMOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define POLEMOS_ASSERT(is, what) static_assert(is, #what)
#define POLEMOS_BEGIN extern "C" { _Pragma("GCC visibility push(default)")
#define POLEMOS_END _Pragma("GCC visibility pop") }
#else
#define POLEMOS_ASSERT(is, what) _Static_assert(is, #what)
#define POLEMOS_BEGIN _Pragma("GCC visibility push(default)")
#define POLEMOS_END _Pragma("GCC visibility pop")
#endif

/* What the functions `winner` return besides seats, which count from 0 in the order of `seats` in hello. */
enum { POLEMOS_DRAW = -1, POLEMOS_RUNNING = -2 };

POLEMOS_BEGIN

/* The version of Polemos that built this library. */
const char *polemos_version(void);

/* Reads a record from base64, as the field `state` of a message has it; the rest of the record is set to zero. Reads
   until the end of the text, or to a quote. Returns the number of bytes, or -1 if it isn't base64 or too long. */
int polemos_read(const char *base64, void *record, size_t size);

/* 64 bits that look random, from 64 bits; for keys of dice and playouts. */
uint64_t polemos_mix(uint64_t bits);

POLEMOS_END

#endif

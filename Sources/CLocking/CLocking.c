#include "CLocking.h"

static _Thread_local char token;
static _Thread_local intptr_t words[2];

intptr_t sb_thread_token(void) { return (intptr_t)&token; }
intptr_t sb_thread_word(int index) { return words[index]; }
void sb_thread_set_word(int index, intptr_t value) { words[index] = value; }

#include "CLocking.h"

static _Thread_local char token;
static _Thread_local intptr_t word;

intptr_t sb_thread_token(void) { return (intptr_t)&token; }
intptr_t sb_thread_word(void) { return word; }
void sb_thread_set_word(intptr_t value) { word = value; }

// The functions are inline; a target needs a file.
#include "CText.h"

// snl is written in C++23, and so is what includes its headers.
#pragma once

#if __cplusplus < 202100L
#error "snl needs C++23: compile with -std=c++23"
#endif

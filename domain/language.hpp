// snl is written in C++23, and its headers need a C++23 program.
#pragma once

#if __cplusplus < 202100L
#error "snl needs C++23: compile with -std=c++23"
#endif

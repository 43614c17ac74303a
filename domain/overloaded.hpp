// A visitor of a variant, made of one function for each alternative.
#pragma once

#include "language.hpp"

namespace [[gnu::visibility("default")]] snl {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace snl

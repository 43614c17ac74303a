// A visitor of a variant, made of a function for each alternative.
#pragma once

namespace [[gnu::visibility("default")]] snl {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace snl

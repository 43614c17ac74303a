#include "libpq.hpp"

#include "storage/store_error.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace snl::postgres {
namespace {

[[noreturn]] void refuse() {
  const char* const why = dlerror();
  throw StoreError(StoreError::Cause::failed,
                   fmt::format("a store on PostgreSQL needs its client library, libpq.so.5 ({}); "
                               "install it: apt-get install libpq5",
                               why == nullptr ? "it has another form" : why));
}

}  // namespace

void* Symbol::address() const {
  void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) refuse();
  return found;
}

const Libpq& libpq() {
  static const Libpq loaded;
  return loaded;
}

}  // namespace snl::postgres

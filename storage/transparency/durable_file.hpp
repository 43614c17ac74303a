// Small files that must be there once somebody was told so. Each throws StoreError, which names the
// file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace snl::transparency {

/// An open file. Closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const std::string& path, int flags, unsigned mode = 0);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  bool is_open() const { return number_ >= 0; }
  operator int() const { return number_; }
  /// Leaves it open.
  int release();

 private:
  int number_;
};

[[noreturn]] void refuse_file(const std::string& path, std::string_view what);
/// The same, with what errno says.
[[noreturn]] void fail_at(const std::string& path, std::string_view what);

/// Up to so many bytes of an open file.
std::string read_text(int descriptor, std::size_t most, const std::string& path);

/// Makes a file that isn't there. Its folder is yet to be synced.
void write_new(const std::string& path, std::string_view text, unsigned mode);
/// Has a file hold a text instead of another: whole, or not at all. Durable when it returns.
void replace_file(const std::string& path, std::string_view text);
void sync_folder_of(const std::string& path);

}  // namespace snl::transparency

// Small files that must be on the disk before anybody hears of them. Each function throws
// StoreError, which names the file.
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
  Descriptor& operator=(Descriptor&&) = delete;

  bool is_open() const { return number_ >= 0; }
  operator int() const { return number_; }
  /// Leaves it open.
  int release();

 private:
  int number_;
};

[[noreturn]] void refuse_file(const std::string& path, std::string_view what);
/// The same, with the text of errno.
[[noreturn]] void fail_at(const std::string& path, std::string_view what);

/// Reads up to `most` bytes of an open file.
std::string read_text(int descriptor, std::size_t most, const std::string& path);

/// Makes a file that isn't there yet. The caller still has to sync its folder.
void write_new(const std::string& path, std::string_view text, unsigned mode);
/// Replaces a file's text: wholly, or not at all. Durable when it returns.
void replace_file(const std::string& path, std::string_view text);
void sync_folder_of(const std::string& path);

}  // namespace snl::transparency

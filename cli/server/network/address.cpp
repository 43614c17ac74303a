#include "address.hpp"

#include "domain/whole_number.hpp"
#include "storage/ascii.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

namespace snl::cli {
namespace {

std::optional<IpAddress> parse_address(std::string_view text) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(text, error);
  if (error) return std::nullopt;
  return plain(address);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
  });
}

/// The parts of an authority; it may have no port.
struct Authority {
  std::string host;
  std::optional<std::uint16_t> port;
};

std::optional<Authority> parse_authority(std::string_view text) {
  std::string_view host = text;
  std::string_view rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
    const auto address = parse_address(host);
    if (!host.contains(':') || !address) return std::nullopt;
  } else {
    const std::size_t colon = text.find(':');
    host = text.substr(0, colon);
    if (colon != std::string_view::npos) rest = text.substr(colon);
    if (!is_host_name(host)) return std::nullopt;
  }
  if (rest.empty()) return Authority{lower_case(host), std::nullopt};
  if (rest == ":") return Authority{lower_case(host), std::nullopt};
  const auto port = whole_number<std::uint16_t>(rest.substr(1));
  if (!rest.starts_with(':') || !port) return std::nullopt;
  return Authority{lower_case(host), port};
}

/// The bits of an address from the first on, as bytes.
std::vector<std::uint8_t> bytes_of(const IpAddress& address) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

/// An address with all bits after the first `bits` set to 0.
std::vector<std::uint8_t> first_bits(const IpAddress& address, unsigned bits) {
  std::vector<std::uint8_t> bytes = bytes_of(address);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const unsigned before = static_cast<unsigned>(i) * 8;
    const unsigned kept = bits <= before ? 0 : std::min(8U, bits - before);
    bytes[i] = static_cast<std::uint8_t>(bytes[i] & (0xFF00U >> kept));
  }
  return bytes;
}

/// The address as proxies write it, some with the client's port: 10.0.0.1, 10.0.0.1:80,
/// 2001:db8::1, [2001:db8::1]:80.
std::optional<IpAddress> parse_forwarded(std::string_view text) {
  if (const auto address = parse_address(text)) return address;
  const auto authority = parse_authority(text);
  if (!authority) return std::nullopt;
  const std::string_view host = authority->host;
  return parse_address(host);
}

bool is_trusted(const IpAddress& address, std::span<const Network> trusted) {
  return std::ranges::any_of(trusted, [&](const Network& net) { return net.contains(address); });
}

}  // namespace

IpAddress plain(const IpAddress& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6());
}

std::optional<HostAndPort> parse_host_and_port(std::string_view text) {
  auto authority = parse_authority(text);
  if (!authority || !authority->port) return std::nullopt;
  return HostAndPort{std::move(authority->host), *authority->port};
}

std::string to_text(const IpAddress& address, std::uint16_t port) {
  const std::string host = address.to_string();
  return address.is_v6() ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::optional<Network> Network::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const unsigned most = address->is_v4() ? 32 : 128;
  if (slash == std::string_view::npos) return Network(*address, most);
  const auto bits = whole_number<unsigned>(text.substr(slash + 1));
  if (!bits || *bits > most || first_bits(*address, *bits) != bytes_of(*address))
    return std::nullopt;
  return Network(*address, *bits);
}

bool Network::contains(const IpAddress& address) const {
  const IpAddress other = plain(address);
  return other.is_v4() == address_.is_v4() && first_bits(other, bits_) == bytes_of(address_);
}

std::optional<IpAddress> client_address(const IpAddress& peer, std::string_view forwarded_for,
                                        std::span<const Network> trusted) {
  IpAddress client = plain(peer);
  while (!forwarded_for.empty() && is_trusted(client, trusted)) {
    const std::size_t comma = forwarded_for.rfind(',');
    const bool last = comma == std::string_view::npos;
    const auto address =
        parse_forwarded(trimmed(last ? forwarded_for : forwarded_for.substr(comma + 1)));
    if (!address) return std::nullopt;
    client = *address;
    forwarded_for = last ? std::string_view() : forwarded_for.substr(0, comma);
  }
  return client;
}

std::vector<IpAddress> addresses_of_this_machine() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(list, &freeifaddrs);
  std::vector<IpAddress> addresses;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    const bool is_up = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (!is_up || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address{};
    std::memcpy(&address, one->ifa_addr, sizeof(address));
    addresses.emplace_back(boost::asio::ip::address_v4(ntohl(address.sin_addr.s_addr)));
  }
  return addresses;
}

std::string counted_as(const IpAddress& address) {
  constexpr std::size_t bytes_of_network = 8;
  if (address.is_v4()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes_of_network, bytes.end(), std::uint8_t{0});
  return fmt::format("{}/64", boost::asio::ip::address_v6(bytes).to_string());
}

std::optional<PublicUrl> PublicUrl::parse(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    auto authority = parse_authority(text.substr(scheme.size()));
    if (!authority) return std::nullopt;
    return PublicUrl{std::string(text), std::move(authority->host)};
  }
  return std::nullopt;
}

bool is_our_host(std::string_view host, const std::optional<PublicUrl>& ours) {
  auto authority = parse_authority(host);
  if (!authority) return false;
  if (authority->host.ends_with('.')) authority->host.pop_back();  // an absolute name
  return authority->host == "localhost" || (ours && authority->host == ours->host) ||
         parse_address(authority->host).has_value();
}

}  // namespace snl::cli

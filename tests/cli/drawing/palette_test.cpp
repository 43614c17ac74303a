// Goal: each player's piece has a colour of its own, whatever colours a person can tell apart.
//
// Method: the colours as seen by people who lack one kind of cones, by Machado, Oliveira and
// Fernandes (2009), "A Physiologically-based Model for Simulation of Color Vision Deficiency", at
// full severity. Differences are measured by CIEDE2000.

#define BOOST_TEST_MODULE palette
#include "cli/drawing/palette.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

namespace {

using snl::cli::PieceColour;
using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr double least_difference =
    8;  // 1 is just noticeable side by side; ten colours can't differ much more
constexpr double least_contrast = 4.5;  // of the text on a piece (WCAG 2.2, 1.4.3)

struct Vision {
  std::string_view name;
  Matrix matrix;  // of linear red, green and blue
};
constexpr std::array<Vision, 4> visions{{
    {"usual", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868},
       {0.114503, 0.786281, 0.099216},
       {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968},
       {0.280085, 0.672501, 0.047413},
       {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779},
       {-0.078411, 0.930809, 0.147602},
       {0.004733, 0.691367, 0.303900}}}},
}};

Triple product(const Matrix& matrix, const Triple& v) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  return result;
}

/// Linear red, green and blue of "#rrggbb".
Triple linear(std::string_view colour) {
  Triple channels{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    channels[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return channels;
}

double luminance(std::string_view colour) {
  const Triple rgb = linear(colour);
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(std::string_view one, std::string_view other) {
  const double a = luminance(one) + 0.05;
  const double b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

/// CIELAB under D65.
Triple lab(Triple rgb) {
  for (double& channel : rgb)
    channel = std::clamp(channel, 0.0, 1.0);
  constexpr Matrix to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                           {0.2126729, 0.7151522, 0.0721750},
                           {0.0193339, 0.1191920, 0.9503041}}};
  const Triple xyz = product(to_xyz, rgb);
  const auto f = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double y = f(xyz[1]);
  return {116 * y - 16, 500 * (f(xyz[0] / 0.95047) - y), 200 * (y - f(xyz[2] / 1.08883))};
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

double hue(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double angle = std::atan2(b, a) * 180 / std::numbers::pi;
  return angle < 0 ? angle + 360 : angle;
}

/// CIEDE2000, as given by Sharma, Wu and Dalal (2005).
double difference(const Triple& one, const Triple& other) {
  const auto seventh = [](double chroma) {
    return std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + std::pow(25.0, 7)));
  };
  const double mean_c = (std::hypot(one[1], one[2]) + std::hypot(other[1], other[2])) / 2;
  const double stretch = 1 + 0.5 * (1 - seventh(mean_c));
  const double c1 = std::hypot(stretch * one[1], one[2]);
  const double c2 = std::hypot(stretch * other[1], other[2]);
  const double h1 = hue(stretch * one[1], one[2]);
  const double h2 = hue(stretch * other[1], other[2]);
  const bool has_hues = c1 * c2 != 0;
  double dh = has_hues ? h2 - h1 : 0;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const double d_hue = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh / 2));
  double h = h1 + h2;
  if (has_hues && std::abs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
  if (has_hues) h /= 2;
  const double l = (one[0] + other[0]) / 2 - 50;
  const double c = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                   0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
  const double part_l = (other[0] - one[0]) / (1 + 0.015 * l * l / std::sqrt(20 + l * l));
  const double part_c = (c2 - c1) / (1 + 0.045 * c);
  const double part_h = d_hue / (1 + 0.015 * c * t);
  const double turn =
      -std::sin(radians(60 * std::exp(-std::pow((h - 275) / 25, 2)))) * 2 * seventh(c);
  return std::sqrt(part_l * part_l + part_c * part_c + part_h * part_h + turn * part_c * part_h);
}

double difference(std::string_view one, std::string_view other, const Vision& vision) {
  return difference(lab(product(vision.matrix, linear(one))),
                    lab(product(vision.matrix, linear(other))));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_colours_of_pieces)

BOOST_AUTO_TEST_CASE(differences_are_those_of_published_pairs) {
  const auto within = boost::test_tools::tolerance(1e-4);
  BOOST_TEST(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) == 2.0425, within);
  BOOST_TEST(difference({50, 2.5, 0}, {73, 25, -18}) == 27.1492, within);
  BOOST_TEST(difference({50, 2.49, -0.001}, {50, -2.49, 0.0011}) == 7.2195, within);
  BOOST_TEST(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}) == 0.9082, within);
}

BOOST_AUTO_TEST_CASE(each_is_told_from_all_others_whatever_cones_one_has) {
  for (const Vision& vision : visions)
    for (const auto shade : {&PieceColour::in_the_light, &PieceColour::in_the_dark})
      for (std::size_t seat = 0; seat < snl::cli::piece_colours.size(); ++seat)
        for (std::size_t other = 0; other < seat; ++other) {
          const std::string_view one = snl::cli::piece_colours[seat].*shade;
          const std::string_view two = snl::cli::piece_colours[other].*shade;
          const double apart = difference(one, two, vision);
          BOOST_TEST(apart >= least_difference, vision.name << ": seats " << other << " (" << two
                                                            << ") and " << seat << " (" << one
                                                            << ") are " << apart << " apart");
        }
}

BOOST_AUTO_TEST_CASE(what_is_written_on_them_can_be_read) {
  for (const PieceColour& colour : snl::cli::piece_colours) {
    BOOST_TEST(contrast(colour.in_the_light, "#ffffff") >= least_contrast, colour.in_the_light);
    BOOST_TEST(contrast(colour.in_the_dark, "#14161a") >= least_contrast, colour.in_the_dark);
  }
}

BOOST_AUTO_TEST_SUITE_END()

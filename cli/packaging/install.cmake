# The files that `cmake --install` installs besides the libraries and their headers. Components: program,
# libraries (the files that shared ones need to run), development.
include(CMakePackageConfigHelpers)

option(SNL_DEBIAN "Install files where, and as, Debian's packages have them" OFF)
set(SNL_LIBRARIES)
foreach(library domain analysis storage drawing recording page)
  if(TARGET snl::${library})
    list(APPEND SNL_LIBRARIES ${library})
  endif()
endforeach()
set(here ${CMAKE_CURRENT_LIST_DIR})
set(made ${PROJECT_BINARY_DIR}/packaging)

# The CMake package.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/snl)
configure_package_config_file(${here}/snl-config.cmake.in ${made}/snl-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${made}/snl-config-version.cmake COMPATIBILITY SameMajorVersion)
install(
  FILES ${made}/snl-config.cmake ${made}/snl-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cli/drawing/Findutf8proc.cmake
  DESTINATION ${package_folder}
  COMPONENT development)
install(
  EXPORT snl
  FILE snl-targets.cmake
  NAMESPACE snl::
  DESTINATION ${package_folder}
  COMPONENT development)

# pkg-config: all libraries at once, each before those that it uses. Shared ones bring along their own needs.
set(pc_libraries ${SNL_LIBRARIES})
list(REVERSE pc_libraries)
list(TRANSFORM pc_libraries PREPEND -lsnl_)
list(JOIN pc_libraries " " pc_libraries)
set(pc_requires)
set(pc_private)
if(NOT BUILD_SHARED_LIBS AND TARGET snl::storage)
  set(pc_requires "sqlite3 >= 3.40, libcrypto >= 3")
  set(pc_private "-lboost_json -pthread")
  if(SNL_STATIC_LIBRARIES)
    string(APPEND pc_libraries " -lsnl_fmt")
  else()
    string(APPEND pc_requires ", fmt >= 9")
  endif()
  if(TARGET snl::drawing)
    string(APPEND pc_requires ", libutf8proc")
  endif()
endif()
# Outside a package, the prefix may be moved, or chosen at install time.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(NOT SNL_DEBIAN)
  file(RELATIVE_PATH upwards /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(pc_prefix \${pcfiledir}/${upwards})
  set(pc_libdir \${prefix}/${CMAKE_INSTALL_LIBDIR})
  set(pc_includedir \${prefix}/${CMAKE_INSTALL_INCLUDEDIR})
endif()
configure_file(${here}/snl.pc.in ${made}/snl.pc @ONLY)
install(
  FILES ${made}/snl.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

if(NOT TARGET snl)
  return()
endif()

# Completions, where each shell looks for those that packages install.
set(scripts ${PROJECT_SOURCE_DIR}/cli/completion)
set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(SNL_DEBIAN)
  set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
install(
  FILES ${scripts}/snl.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME snl
  COMPONENT program)
install(
  FILES ${scripts}/snl.zsh
  DESTINATION ${zsh_folder}
  RENAME _snl
  COMPONENT program)
install(
  FILES ${scripts}/snl.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT program)

# Manual pages, which the target man_pages makes. If only the program was built, the installation says so.
function(snl_install_man_pages)
  install(
    CODE "if(NOT EXISTS \"${PROJECT_BINARY_DIR}/man/man1/snl.1\")
            message(FATAL_ERROR \"the manual isn't built: cmake --build ${PROJECT_BINARY_DIR}, then install again\")
          endif()"
    COMPONENT program)
  install(
    DIRECTORY ${PROJECT_BINARY_DIR}/man/
    DESTINATION ${CMAKE_INSTALL_MANDIR}
    COMPONENT program
    FILES_MATCHING
    PATTERN "*.[158]")
  if(SNL_DEBIAN)
    install(
      CODE "file(GLOB pages \"\$ENV{DESTDIR}${CMAKE_INSTALL_FULL_MANDIR}/man*/snl*.[158]\")
            if(pages)
              execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
            endif()"
      COMPONENT program)
  endif()
endfunction()
snl_install_man_pages()

# Everything that is installed. cli/run builds it, so that you can install from its build folder.
list(TRANSFORM SNL_LIBRARIES PREPEND snl:: OUTPUT_VARIABLE libraries)
add_custom_target(installable)
add_dependencies(installable snl man_pages ${libraries})

# The service.
set(unit_folder lib/systemd/system)
if(SNL_DEBIAN)
  set(unit_folder /lib/systemd/system)
endif()
install(
  CODE "set(bin_folder \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
        configure_file(\"${here}/snl-serve.service.in\" \"${made}/snl-serve.service\" @ONLY)"
  COMPONENT program)
install(
  FILES ${made}/snl-serve.service
  DESTINATION ${unit_folder}
  COMPONENT program)

# The demo runs with the snl on the PATH, or any other: `demo /usr/bin/snl`.
install(
  PROGRAMS ${PROJECT_SOURCE_DIR}/cli/demo
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  COMPONENT program)

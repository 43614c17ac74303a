// Nothing but a source for the compiler to read headers with: see snl_add_test.

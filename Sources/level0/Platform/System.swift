// The only file that names systems. Importing this module imports the C library of the target system.
#if canImport(Glibc)
    @_exported public import CSockets
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import CSockets
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

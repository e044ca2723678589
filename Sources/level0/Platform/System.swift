// The one place that names a system. Whoever imports this module has the C library of the one that it is built for.
#if canImport(Glibc)
    @_exported public import CSockets
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import CSockets
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// What follows is written in macros, which Swift cannot call.

static inline int zumod_tls_restrict_server(SSL_CTX *context) {
    // Where the client has no hardware for AES it names ChaCha first, and gets it.
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
            | SSL_OP_PRIORITIZE_CHACHA);
    // A connection at rest gives its buffers back; an answer that is sent in parts may have moved meanwhile.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Sessions come back by tickets, which cost the server nothing.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline long zumod_tls_add_to_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add0_chain_cert(context, certificate);
}

static inline void zumod_bio_begin_read(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

static inline void zumod_bio_wants_bytes(BIO *bio) {
    BIO_set_retry_read(bio);
}

static inline int zumod_error_is_end_of_text(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

static inline void zumod_free(void *memory) {
    OPENSSL_free(memory);
}

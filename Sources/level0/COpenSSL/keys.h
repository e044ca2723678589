#pragma once
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>

// What takes OSSL_PARAMs, which point to what they are made of and so have to go before it does. Each gives back a null
// pointer, or 0, where OpenSSL refuses; its errors stay in the thread's queue.

// A message code's context with its key. The key may have no bytes, but a null pointer would be no key.
static inline EVP_MAC_CTX *zumod_mac_context(EVP_MAC *mac, const char *digest, const unsigned char *key, size_t count) {
    static const unsigned char nothing = 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
    if (context != NULL && EVP_MAC_init(context, key == NULL ? &nothing : key, count, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

// HKDF with SHA-256 and without a salt (RFC 5869).
static inline int zumod_hkdf(
    EVP_KDF *hkdf, const unsigned char *secret, size_t secret_count, const unsigned char *info, size_t info_count,
    unsigned char *key, size_t key_count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF_CTX *context = hkdf == NULL ? NULL : EVP_KDF_CTX_new(hkdf);
    int done = context != NULL && EVP_KDF_derive(context, key, key_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return done;
}

static inline EVP_PKEY *zumod_public_key(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (context != NULL && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

// An RSA key of its two numbers, the first byte the highest. OpenSSL takes any: how good they are is not looked at.
static inline EVP_PKEY *zumod_rsa_key(
    const unsigned char *modulus, int modulus_count, const unsigned char *exponent, int exponent_count) {
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(modulus, modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
        if (parameters != NULL) {
            key = zumod_public_key("RSA", parameters);
            OSSL_PARAM_free(parameters);
        }
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return key;
}

// A key of a point of a curve, written as 04, x and y; a point that isn't on the curve makes none.
static inline EVP_PKEY *zumod_ec_key(const char *curve, const unsigned char *point, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count),
        OSSL_PARAM_construct_end(),
    };
    return zumod_public_key("EC", parameters);
}

// An ECDSA signature of r and s, `half` bytes each, in DER: 0, or how many bytes there are at `der`, to be freed.
static inline int zumod_ecdsa_der(const unsigned char *numbers, int half, unsigned char **der) {
    int count = 0;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(numbers, half, NULL);
    BIGNUM *s = BN_bin2bn(numbers + half, half, NULL);
    if (signature != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(signature, r, s) == 1) {
        // They are the signature's from here on.
        r = NULL;
        s = NULL;
        count = i2d_ECDSA_SIG(signature, der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(signature);
    return count > 0 ? count : 0;
}

// The part of the library of signatures that pages use.
export default globalThis.nacl.sign.detached.verify;

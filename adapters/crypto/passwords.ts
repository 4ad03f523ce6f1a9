import { hash, verify } from '@node-rs/argon2';

// Argon2id, the library's own choice, with OWASP's smallest recommended costs: 19 MiB, two passes.
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with Argon2id (RFC 9106) and a random salt. @returns the PHC string form */
export const hashPassword = (password: string): Promise<string> =>
  hash(comparable(password), COSTS);

/** Whether a password is the one behind a hash of {@link hashPassword}. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, comparable(password));

/** More UTF-16 units than any password may have; composing a megabyte of accents takes minutes. */
const LONGEST_READ = 4_000;

// NIST SP 800-63B: the same characters typed at another keyboard are the same password.
const comparable = (password: string): string => password.slice(0, LONGEST_READ).normalize('NFKC');

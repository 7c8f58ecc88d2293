/** What a password may be, as the gateway asks it. */
export const PASSWORD_HINT = '12 to 256 characters, without your name in them';

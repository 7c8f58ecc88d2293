/** A browser stays known for so long after the last login from it. */
export const DEVICE_LIFE_S = 90 * 24 * 3600;

/** The browser of a login, by the digest of what it holds. */
export interface LoginDevice {
  readonly sha256: Uint8Array;
}

export interface NewLoginDevice extends LoginDevice {
  readonly userId: string;
  /** The password that it was known by, as it is kept. */
  readonly passwordHash: string;
  /** It takes the place of this one. */
  readonly former: LoginDevice | null;
}

/**
 * Browsers that users logged in from, whose tries are counted apart from those of strangers (OWASP, device cookies): whoever knows a name keeps none
 * of them out. They open nothing by themselves, and end with the sessions of their user.
 */
export abstract class LoginDevices {
  /** The twenty latest of a user are kept. Nothing where the user was disabled, or the password ended, since it was looked at. */
  abstract insert(device: NewLoginDevice): Promise<void>;
  /** True for a browser in force of the user who has this name. */
  abstract isOf(device: LoginDevice, name: string): Promise<boolean>;
}

/** Whose tries are counted together. */
export type Trier = string;

/** Everybody who is not known; a name has no line feed. */
export const strangerTo = (name: string): Trier => name;
/** Whoever has a session of this user. */
export const sessionOf = (name: string): Trier => `session\n${name}`;
export const browserOf = ({ sha256 }: LoginDevice): Trier => `device\n${sha256.join('.')}`;

/** Seconds. An access token is short because a program that lost one should not stay open for long. */
export const ACCESS_SECONDS = 15 * 60;

/** Unused for this long, a refresh token ends. */
export const REFRESH_SECONDS = 30 * 24 * 3600;

/** After this a person is asked again, however busy the program was. */
export const GRANT_SECONDS = 90 * 24 * 3600;

/** From the redirect back to the program until it fetches its tokens. */
export const CODE_SECONDS = 60;

/** For signing in and reading the consent page. */
export const REQUEST_SECONDS = 60 * 60;

/**
 * How long a used refresh token still gets the answer of its first use. Programs refresh from several windows at once
 * and lose answers on bad networks (anthropics/claude-code#84440); a thief who comes later ends the grant.
 */
export const REUSE_SECONDS = 30;

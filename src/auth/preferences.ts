/** `system`: as the person's device is set. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** Locales, each for the way in which numbers are written there. */
export const NUMBER_FORMATS = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN'] as const;

export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** How the pages look for a person. Programs always get the same texts. */
export interface Preferences {
  theme: Theme;
  numberFormat: NumberFormat;
}

export const DEFAULT_PREFERENCES: Preferences = { theme: 'system', numberFormat: 'en-US' };

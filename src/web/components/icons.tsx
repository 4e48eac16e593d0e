import type { ComponentChildren } from 'preact';

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      {children}
    </svg>
  );
}

/** Two tide lines under their mark. */
export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M3 7h18" />
      <path d="M3 13c3-3.2 6-3.2 9 0s6 3.2 9 0" />
      <path d="M3 19c3-3.2 6-3.2 9 0s6 3.2 9 0" />
    </svg>
  );
}

export const OverviewIcon = () => (
  <Icon>
    <path d="M3 14.5 7.5 9l3.5 3L17 5" />
    <path d="M3 17.5h14" />
  </Icon>
);

export const BankIcon = () => (
  <Icon>
    <path d="M3 8 10 3.5 17 8z" />
    <path d="M5 8v7m3.3-7v7m3.4-7v7M15 8v7M3 16.5h14" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="7" cy="12.5" r="3.5" />
    <path d="M9.6 10 16 3.6M13 6.6l2.4 2.4" />
  </Icon>
);

export const SettingsIcon = () => (
  <Icon>
    <path d="M3 6h7m5 0h2M3 14h2m5 0h7" />
    <circle cx="12.5" cy="6" r="2.2" />
    <circle cx="7.5" cy="14" r="2.2" />
  </Icon>
);

export const WarnIcon = () => (
  <Icon>
    <path d="M10 3.2 17.6 16.5H2.4z" />
    <path d="M10 8.2v4m0 2v.1" />
  </Icon>
);

export const DoneIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="m6.8 10.2 2.2 2.3 4.2-4.8" />
  </Icon>
);

const iconPaths = {
  add: "M12 5v14M5 12h14",
  alert:
    "M12 8v5M12 16.5v.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-2.9L13.7 3.9a2 2 0 0 0-3.4 0Z",
  arrowDown: "M12 5v14M6 13l6 6 6-6",
  arrowUp: "M12 19V5M6 11l6-6 6 6",
  bolt: "M13 3 5 13.5h6L10 21l8-10.5h-6L13 3Z",
  box: "M12 3 4 7.2v9.6L12 21l8-4.2V7.2L12 3ZM4.3 7.4 12 11.5l7.7-4.1M12 11.5V21",
  check: "M5 12.5 10 17.5 19 7",
  chevronDown: "m6 9 6 6 6-6",
  chevronEnd: "m9 6 6 6-6 6",
  chevronStart: "m15 6-6 6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  columns: "M4 5h16v14H4zM10 5v14M15 5v14",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  edit: "M4 20h4L19 9l-4-4L4 16v4ZM13.5 6.5l4 4",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  filter: "M4 6h16M7 12h10M10 18h4",
  grip: "M9 6v.01M9 12v.01M9 18v.01M15 6v.01M15 12v.01M15 18v.01",
  home: "M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  inbox: "M4 13 6.5 5h11L20 13v6H4v-6ZM4 13h5l1.5 3h3L15 13h5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  more: "M5 12v.01M12 12v.01M19 12v.01",
  offline:
    "M3 3l18 18M8.5 15.5a5 5 0 0 1 6 -.6M5 12a10 10 0 0 1 4-2.4M13 9.1a10 10 0 0 1 6 2.9M12 19v.01",
  plug: "M9 4v5M15 4v5M6.5 9h11v3a5.5 5.5 0 0 1-11 0V9ZM12 17.5V21",
  reload: "M20 11a8 8 0 0 0-14-4.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14 4.5L20 15M20 20v-5h-5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  server: "M4 5h16v6H4zM4 13h16v6H4zM7.5 8v.01M7.5 16v.01",
  sun: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  upload: "M12 16V4M7 8.5l5-5 5 5M5 20h14",
} as const;

export type IconName = keyof typeof iconPaths;

/** Decoration only: what it means is said in words beside it, or by the label of its button. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className={`icon icon-${name}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 24 ? 1.25 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}

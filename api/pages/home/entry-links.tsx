import type { Place } from '../frame/places.ts';

/** Nothing but the ways on, large. */
export const EntryLinks = ({ places }: { readonly places: readonly Place[] }) => (
  <ul class="entry-links">
    {places.map(({ href, text }) => (
      <li key={href}>
        <a href={href}>{text}</a>
      </li>
    ))}
  </ul>
);

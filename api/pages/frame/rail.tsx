import type { SignedIn } from '../../access/signed-in.ts';
import { useFrame } from './frame-context.ts';
import { type Place, placeAt, placesOf } from './places.ts';

/** The places that a seat may go to: a rail on the left, on a phone a menu that opens without script. */
export const Rail = ({ who }: { readonly who: SignedIn }) => {
  const { path } = useFrame();
  const places = placesOf(who);
  const here = placeAt(places, path);
  return (
    <>
      <nav class="rail" aria-label="Places">
        <PlaceList places={places} here={here} />
      </nav>
      <details class="rail-menu">
        <summary>Menu{here !== undefined && <span> · {here.text}</span>}</summary>
        <nav aria-label="Places">
          <PlaceList places={places} here={here} />
        </nav>
      </details>
    </>
  );
};

interface PlaceListProps {
  readonly places: readonly Place[];
  readonly here: Place | undefined;
}

const PlaceList = ({ places, here }: PlaceListProps) => (
  <ul>
    {places.map((place) => (
      <li key={place.href}>
        <a href={place.href} aria-current={place === here ? 'page' : undefined}>
          {place.text}
        </a>
      </li>
    ))}
  </ul>
);

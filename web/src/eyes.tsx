// Eye charts side by side. They are shown as pictures: whatever is in an SVG, nothing of it runs there.
import { useTurn } from "./hooks.ts";
import { plain } from "./text.tsx";
import type { EyeCard } from "./types.ts";

const address = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const file = (subject: string): string => `card-${subject.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "subject"}.svg`;

/** One card as large as the column, for its small print; of several, the first is open. */
export function EyeCards({ cards }: { cards: EyeCard[] }) {
  return (
    <section class="section" id="eye-charts">
      <h2>{cards.length > 1 ? "Eye charts" : "Eye chart"}</h2>
      {cards.length === 1 ? cards.map((card) => <Picture card={card} />) : cards.map((card, k) => (
        <details class="part" open={k === 0}>
          <summary><h3><bdi>{plain(card.subject)}</bdi></h3></summary>
          <Picture card={card} />
        </details>
      ))}
    </section>
  );
}

function Picture({ card }: { card: EyeCard }) {
  const [ref, ready] = useTurn<HTMLElement>();
  if (!ready) return <figure class="eye-card" ref={ref}>{"\u2026"}</figure>;
  return (
    <figure class="eye-card" ref={ref}>
      <div class="across" tabIndex={0} role="group" aria-label={`Eye chart of ${plain(card.subject)}`}>
        <img class="on-light" src={address(card.light)} alt={plain(card.told, 5000)} />
        <img class="on-dark" src={address(card.dark)} alt={plain(card.told, 5000)} />
      </div>
      <figcaption><a download={file(card.subject)} href={address(card.light)} aria-label={`Save as a picture: eye chart of ${plain(card.subject)}`}>Save as a picture</a></figcaption>
    </figure>
  );
}

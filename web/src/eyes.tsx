// Eye charts side by side. They are shown as pictures: whatever is in an SVG, nothing of it runs there.
import { plain } from "./text.tsx";
import type { EyeCard } from "./types.ts";

const address = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const file = (subject: string): string => `card-${subject.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "subject"}.svg`;

export function EyeCards({ cards }: { cards: EyeCard[] }) {
  return (
    <section class="section" id="eye-charts">
      <h2>{cards.length > 1 ? "Eye charts" : "Eye chart"}</h2>
      <div class="eye-cards">
        {cards.map((card) => (
          <figure>
            <img class="on-light" src={address(card.light)} alt={plain(card.told, 5000)} />
            <img class="on-dark" src={address(card.dark)} alt={plain(card.told, 5000)} />
            <figcaption><a download={file(card.subject)} href={address(card.light)}>Save as a picture</a></figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

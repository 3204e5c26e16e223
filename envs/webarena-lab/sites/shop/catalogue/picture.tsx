/**
 * Drawings that stand in for photographs of products. The shape depends on the department or the kind of product, and each
 * product has a colour.
 */
import type { FC } from "hono/jsx";

const paths: Readonly<Record<string, string>> = {
  electronics: "M14 40v-8a18 18 0 0 1 36 0v8M10 38h8v14h-6a2 2 0 0 1-2-2zM46 38h8v12a2 2 0 0 1-2 2h-6z",
  "home-kitchen": "M10 32 32 14l22 18M16 28v24h32V28M27 52V38h10v14",
  "clothing-shoes": "M24 14l8 5 8-5 14 9-6 10-5-3v22H21V30l-5 3-6-10z",
  "beauty-personal-care": "M26 10h12v10H26zM22 22h20l4 12v18H18V34zM24 40h16",
  "health-household": "M24 10h16v8H24zM20 20h24v34H20zM32 28v16M24 36h16",
  "grocery-gourmet-food":
    "M32 22c-6-8-20-4-18 10 2 12 12 22 18 20 6 2 16-8 18-20 2-14-12-18-18-10zM32 22c0-6 4-10 8-12",
  "sports-outdoors": "M6 52 26 16l12 20 6-8 14 24zM22 23l8 0",
  "video-games":
    "M18 24h28c8 0 12 24 6 26-6 2-8-8-12-8H24c-4 0-6 10-12 8-6-2-2-26 6-26zM20 30v8M16 34h8M44 32h1M48 36h1",
  "office-products": "M14 50l4-12 24-24 8 8-24 24zM38 18l8 8M14 50h36",
  "patio-garden":
    "M20 40h24l-4 14H24zM32 40V24M32 28c-10 0-14-6-14-14 10 0 14 6 14 14zM32 24c8 0 12-5 12-12-8 0-12 5-12 12z",
  "toys-games": "M12 24h16c-4-8 12-8 8 0h16v14c-8-4-8 12 0 8v8H12z",
  "pet-supplies":
    "M32 34c-8 0-14 8-12 14s8 2 12 2 10 4 12-2-4-14-12-14zM18 26a4 5 0 1 0 .1 0M46 26a4 5 0 1 0 .1 0M26 14a4 6 0 1 0 .1 0M38 14a4 6 0 1 0 .1 0",
  monitors: "M8 12h48v32H8zM32 44v8M22 54h20",
  "keyboards-mice": "M6 22h52v24H6zM12 29h4M22 29h4M32 29h4M42 29h8M12 37h6M24 37h20M50 37h2",
  "external-drives": "M18 8h28v48H18zM24 46h8M40 46h1M18 40h28",
  "phone-cases": "M20 6h24v52H20zM27 11h6v6h-6zM29 52h6",
  "chargers-cables": "M22 6v12M34 6v12M16 18h24v12a12 12 0 0 1-24 0zM28 42c0 14 18 14 18 4V34",
  "smart-watches": "M20 20h24v24H20zM24 20l2-14h12l2 14M24 44l2 14h12l2-14M32 26v7l5 3",
  bedding: "M6 46V18M6 40h52v8M58 40v-8c0-6-4-8-10-8H26v16M12 26h10v8H12z",
  cookware: "M8 28h34a17 17 0 0 1-34 0zM42 30l18-6M14 20h22",
  "coffee-tea-makers":
    "M14 20h30v22a10 10 0 0 1-10 10H24a10 10 0 0 1-10-10zM44 26h6a7 7 0 0 1 0 14h-6M22 6v8M30 6v8M38 6v8",
  chairs: "M20 6h24v28H20zM18 34h28v8H18zM20 42v16M44 42v16",
  bookcases: "M12 6h40v52H12zM12 23h40M12 41h40M20 12v11M27 12v11M34 29v12M22 47v11",
  lamps: "M22 8h20l8 20H14zM32 28v26M20 56h24",
  "shoe-storage": "M8 22h10l10 10h22a8 8 0 0 1 6 10v4H8zM8 40h48",
  dresses: "M24 6v8l-4 8 4 8-10 28h36L40 30l4-8-4-8V6l-8 6z",
  shoes: "M6 26h12l14 10h18a8 8 0 0 1 8 10v4H6zM22 29l4-5M28 33l4-5",
  outerwear: "M22 8h20l12 12-4 30h-8V30v26H22V30v20h-8l-4-30zM32 8v48",
  "skin-care": "M24 6h16v8H24zM20 14h24v42H20zM20 28h24v14H20z",
  makeup: "M24 26h16v30H24zM27 26V14l10-6v18M24 38h16",
  "oral-care": "M26 4h12v18H26zM29 22h6v36h-6zM30 8v9M34 8v9",
  laundry: "M12 6h40v52H12zM32 24a13 13 0 1 0 .1 0M18 12h8M44 12h2",
  "tea-coffee": "M10 24h36v18a12 12 0 0 1-12 12H22a12 12 0 0 1-12-12zM46 28h8v12h-8M20 8v10M30 8v10",
  "baking-mixes": "M14 30h36l-6 26H20zM12 30c-4-10 6-16 10-12 4-12 20-10 20 0 8-2 12 6 8 12z",
  "exercise-fitness": "M6 24h8v16H6zM14 18h8v28h-8zM22 29h20v6H22zM42 18h8v28h-8zM50 24h8v16h-8z",
  cycling: "M16 30a10 10 0 1 0 .1 0M48 30a10 10 0 1 0 .1 0M16 40l10-20h14l8 20M26 20l8 20h-18M22 20h8",
  "water-bottles": "M26 4h12v8H26zM22 12h20v46H22zM22 28h20M22 44h20",
  "gaming-headsets": "M14 36v-6a18 18 0 0 1 36 0v6M10 34h8v14h-8zM46 34h8v14h-8zM50 48c0 8-8 8-14 8",
  "game-storage": "M10 14h44v36H10zM18 22h8v10h-8zM30 22h8v10h-8zM42 22h6v10h-6zM18 38h30",
  "notebooks-paper": "M14 6h36v52H14zM22 6v52M28 18h16M28 26h16M28 34h12",
  "desk-organizers": "M10 34h44v22H10zM16 34V14h8v20M30 34V8h6v26M44 34l4-20",
  printers: "M18 6h28v16H18zM8 22h48v22H8zM18 38h28v20H18zM46 29h3",
  grills: "M10 24h44a22 18 0 0 1-44 0zM20 40l-8 18M44 40l8 18M24 6v10M32 6v10M40 6v10",
  puzzles: "M10 10h18c-4 10 14 10 8 0h18v18c-10-4-10 14 0 8v18H36c4-10-14-10-8 0H10V36c10 4 10-14 0-8z",
  "cat-toys": "M14 56V22l4-12 10 8h8l10-8 4 12v34zM25 30h1M39 30h1M28 40l4 4 4-4",
  aquariums: "M6 14h52v40H6zM6 22h52M20 38c6-8 16-8 20 0-4 8-14 8-20 0zM40 38l8-6v12z",
};

/**
 * @param name name of the department, optionally followed by a slash and the name of the category
 * @param seed number that selects the colours
 */
export const Picture: FC<{ name: string; seed: number; size?: number }> = ({ name, seed, size = 180 }) => {
  const hue = (seed * 47) % 360;
  return (
    <svg class="picture" viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <rect width="64" height="64" rx="3" fill={`hsl(${hue} 34% 94%)`} />
      <circle
        cx={20 + (seed % 25)}
        cy={20 + (seed % 23)}
        r={16 + (seed % 7)}
        fill={`hsl(${(hue + 30) % 360} 45% 88%)`}
      />
      <path
        d={paths[name.split("/").at(-1) ?? ""] ?? paths[name.split("/")[0] ?? ""]}
        fill={`hsl(${hue} 46% 78%)`}
        stroke={`hsl(${hue} 40% 34%)`}
        stroke-width="2"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
};

/** The logo: three stones. It has no label, because the name is beside it. */
export function Mark({ className, breathing = false }: { readonly className?: string; readonly breathing?: boolean }) {
  const stones = [
    [
      "var(--stone-1)",
      "M12.600 5.600c1.700-1.500 5.500-1.700 7.300-.3 1.700 1.400 1.200 4-1 4.900-2.100.9-5 .8-6.600-.4-1.500-1.100-1.300-2.900.3-4.200z",
    ],
    [
      "var(--stone-2)",
      "M9.300 13.600c2.300-1.800 10-2.200 13-.7 2.700 1.400 2.500 4.700-.4 5.800-3.200 1.200-9.500 1.200-12.500-.1-2.600-1.200-2.400-3.300-.1-5z",
    ],
    [
      "var(--stone-3)",
      "M5.300 22.600c3.200-2.300 17.200-2.700 21.400-.4 3.300 1.900 2.700 5.300-1 6.200-5 1.200-14.700 1.100-19.300-.1-3.600-1-4-3.800-1.100-5.700z",
    ],
  ] as const;
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      {stones.map(([fill, shape], index) => (
        <path
          key={fill}
          d={shape}
          fill={fill}
          className={breathing ? "animate-breathe" : undefined}
          style={breathing ? { animationDelay: `${(2 - index) * 220}ms` } : undefined}
        />
      ))}
    </svg>
  );
}

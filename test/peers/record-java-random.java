// Prints test/fixtures/rng/java-random.json, recorded from the JDK's java.util.Random.
// Run: java test/peers/record-java-random.java > test/fixtures/rng/java-random.json

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class RecordJavaRandom {
  static final long[] SEEDS = {
    0, 1, 2, 42, -1, Integer.MAX_VALUE, 1L << 31, (1L << 32) - 1, 1L << 32, (1L << 48) - 1, 1L << 48,
    (1L << 53) - 1, Long.MAX_VALUE, Long.MIN_VALUE, 0x5DEECE66DL
  };
  static final int[] BOUNDS = {
    1, 2, 3, 7, 16, 100, 1000003, 1 << 30, (1 << 30) + 1, 3 << 29, Integer.MAX_VALUE - 1, Integer.MAX_VALUE
  };
  static final String[] NAMES = {"nextInt", "nextLong", "nextDouble", "nextFloat", "nextBoolean", "nextGaussian"};
  static final int LONG = 100_000;

  public static void main(String[] args) throws Exception {
    List<String[]> calls = new ArrayList<>();
    Random plan = new Random(48);
    for (int i = 0; i < 400; i++) {
      calls.add(plan.nextBoolean()
          ? new String[] {"nextInt", "" + BOUNDS[plan.nextInt(BOUNDS.length)]}
          : new String[] {NAMES[plan.nextInt(NAMES.length)]});
    }
    List<String> runs = new ArrayList<>();
    for (long seed : SEEDS) runs.add(run(seed, calls));
    System.out.println("{\"recordedFrom\":\"Java " + System.getProperty("java.version") + "\",\"long\":" + LONG
        + ",\"calls\":[" + String.join(",", calls.stream().map(RecordJavaRandom::asJson).toList()) + "],\"runs\":[");
    System.out.println(String.join(",\n", runs) + "\n]}");
  }

  static String asJson(String[] call) {
    return call.length == 1 ? "[\"" + call[0] + "\"]" : "[\"" + call[0] + "\"," + call[1] + "]";
  }

  static String run(long seed, List<String[]> calls) throws Exception {
    Random random = new Random(seed);
    List<String> results = new ArrayList<>();
    for (String[] call : calls) results.add(draw(random, call));
    Random again = new Random(seed);
    StringBuilder ints = new StringBuilder();
    for (int i = 0; i < LONG; i++) ints.append(i == 0 ? "" : ",").append(again.nextInt(1 + i % 1000));
    StringBuilder gaussians = new StringBuilder();
    for (int i = 0; i < LONG; i++) {
      String bits = Long.toHexString(Double.doubleToRawLongBits(again.nextGaussian()));
      gaussians.append(i == 0 ? "" : ",").append("0".repeat(16 - bits.length())).append(bits);
    }
    return "{\"seed\":\"" + seed + "\",\"results\":[" + String.join(",", results) + "],\"intsDigest\":\""
        + digest(ints) + "\",\"gaussianBitsDigest\":\"" + digest(gaussians) + "\"}";
  }

  static String draw(Random random, String[] call) {
    return switch (call[0]) {
      case "nextInt" -> "" + (call.length == 1 ? random.nextInt() : random.nextInt(Integer.parseInt(call[1])));
      case "nextLong" -> "\"" + random.nextLong() + "\"";
      case "nextDouble" -> "" + random.nextDouble();
      case "nextFloat" -> "" + (double) random.nextFloat();
      case "nextBoolean" -> "" + random.nextBoolean();
      default -> "" + random.nextGaussian();
    };
  }

  static String digest(StringBuilder text) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.US_ASCII));
    return String.format("%064x", new BigInteger(1, hash));
  }
}

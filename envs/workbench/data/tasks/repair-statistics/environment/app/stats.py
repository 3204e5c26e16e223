import sys

numbers = [int(line) for line in sys.stdin]
mean = sum(numbers) // len(numbers)
median = numbers[len(numbers) // 2]
mode = max(set(numbers), key=numbers.count)
print("mean", mean)
print("median", median)
print("mode", mode)

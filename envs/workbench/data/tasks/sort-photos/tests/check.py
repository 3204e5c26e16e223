import sys

sys.path.insert(0, "/tests")
from grader import Grader
MOVED = {"2019/10/IMG_20191018_000.jpg": "picture 7061\n", "2022/08/PXL_20220821_001.jpg": "picture 2073\n", "2022/01/DSC_20220127_002.jpg": "picture 5249\n", "2022/04/PXL_20220407_003.jpg": "picture 8704\n", "2022/09/DSC_20220916_004.jpg": "picture 3467\n", "2019/11/PXL_20191105_005.jpg": "picture 7388\n", "2022/01/IMG_20220122_006.jpg": "picture 3611\n", "2022/01/IMG_20220110_007.jpg": "picture 5414\n", "2021/10/DSC_20211024_008.jpg": "picture 7994\n", "2021/12/PXL_20211226_009.jpg": "picture 8284\n", "2019/06/IMG_20190604_010.jpg": "picture 3227\n", "2021/04/PXL_20210409_011.jpg": "picture 8146\n", "2022/05/PXL_20220514_012.jpg": "picture 7322\n", "2022/06/PXL_20220618_013.jpg": "picture 7677\n", "2022/04/PXL_20220411_014.jpg": "picture 1469\n", "2021/10/PXL_20211022_015.jpg": "picture 3672\n", "2022/06/PXL_20220618_016.jpg": "picture 2705\n", "2022/11/PXL_20221107_017.jpg": "picture 5375\n", "2021/02/DSC_20210203_018.jpg": "picture 8921\n", "2019/06/IMG_20190626_019.jpg": "picture 7725\n", "2019/01/DSC_20190110_020.jpg": "picture 7802\n", "2019/01/PXL_20190120_021.jpg": "picture 1736\n", "2021/12/DSC_20211219_022.jpg": "picture 5572\n", "2022/04/DSC_20220402_023.jpg": "picture 1118\n"}
STAYED = {"readme first.txt": "Not a photo.\n", "IMG_draft.jpg": "No date in the name.\n"}

import os

grader = Grader()
found = {}
for folder, _, names in os.walk("/app/photos"):
    for name in names:
        path = os.path.join(folder, name)
        found[os.path.relpath(path, "/app/photos")] = grader.text(path)
grader.check("every photo lies in the folder of its month, unchanged", found == MOVED)
left = {name: grader.text("/app/inbox/" + name) for name in os.listdir("/app/inbox")} if os.path.isdir("/app/inbox") else None
grader.check("the other files stay in inbox", left == STAYED)
grader.finish()
